// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/worker_choice.h"

#include "perfcheck/console/errors.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

namespace perfcheck::measuring {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorkerChoiceTest : public ::testing::Test {
 protected:
  WorkerChoiceTest() {
    std::string pattern = (fs::temp_directory_path() / "perfcheck_choice_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    fs::create_directories(root_ / "bin");
  }
  ~WorkerChoiceTest() override { fs::remove_all(root_); }

  void touch(std::string const& path) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "";
  }
  WorkerChoice choose(std::string const& backend) const {
    Options options;
    options.backend = backend;
    return choose_worker(options, config(), root_, root_ / "bin");
  }
  /// The configuration, as if from project/perfcheck.toml.
  config::Config config() const { return config::parse_config(toml_, root_ / "project/perfcheck.toml"); }
  std::string error_of(std::string const& backend) const {
    try {
      (void)choose(backend);
    } catch (std::runtime_error const& error) {
      return error.what();
    }
    return "";
  }
  std::string chosen(std::string const& backend) const { return fs::path(choose(backend).argv.at(0)).filename(); }

  fs::path root_;
  std::string toml_;
};

TEST_F(WorkerChoiceTest, AutoIsTheCpuWithoutADriver) {
  touch("bin/perfcheck-gemm");
  touch("bin/perfcheck-gemm-cpu");
  EXPECT_EQ(chosen("auto"), "perfcheck-gemm-cpu");
  EXPECT_THAT(choose("auto").why, HasSubstr("no NVIDIA driver"));
}

TEST_F(WorkerChoiceTest, AutoIsCudaWithADriver) {
  touch("bin/perfcheck-gemm");
  touch("bin/perfcheck-gemm-cpu");
  for (char const* trace : {"dev/nvidiactl", "proc/driver/nvidia/version"}) {
    touch(trace);
    EXPECT_EQ(chosen("auto"), "perfcheck-gemm") << trace;
    fs::remove_all(root_ / "dev");
    fs::remove_all(root_ / "proc");
  }
}

TEST_F(WorkerChoiceTest, NeverFallsBackFromCudaToTheCpu) {
  touch("bin/perfcheck-gemm-cpu");
  touch("dev/nvidiactl");
  EXPECT_THROW(choose("auto"), CommandError);
  EXPECT_THROW(choose("cuda"), CommandError);
  EXPECT_EQ(chosen("cpu"), "perfcheck-gemm-cpu");
}

TEST_F(WorkerChoiceTest, AMissingWorkerIsAnError) { EXPECT_THROW(choose("cpu"), CommandError); }

TEST_F(WorkerChoiceTest, AGivenWorkerIsTaken) {
  Options options;
  options.worker = "./mine --flag 'two words'";
  EXPECT_THAT(choose_worker(options, config(), root_, root_).argv, ElementsAre("./mine", "--flag", "two words"));
}

TEST_F(WorkerChoiceTest, APathOfTheConfigurationStartsAtItsFolder) {
  toml_ = "[workers]\ncpu = \"build/bin/mine --flag 'two words'\"\n";
  touch("project/build/bin/mine");
  EXPECT_THAT(choose("cpu").argv, ElementsAre((root_ / "project/build/bin/mine").string(), "--flag", "two words"));
  EXPECT_EQ(choose("cpu").why, "given with --backend");
}

TEST_F(WorkerChoiceTest, AnAbsolutePathOfTheConfigurationIsTakenAsItIs) {
  toml_ = "[workers]\ncpu = \"" + (root_ / "elsewhere/mine").string() + "\"\n";
  touch("elsewhere/mine");
  EXPECT_THAT(choose("cpu").argv, ElementsAre((root_ / "elsewhere/mine").string()));
}

TEST_F(WorkerChoiceTest, ANameOfTheConfigurationIsLookedUpBesideTheProgram) {
  toml_ = "[workers]\ncuda = \"mine\"\n";
  touch("bin/mine");
  touch("project/mine");
  EXPECT_THAT(choose("cuda").argv, ElementsAre((root_ / "bin/mine").string()));
  touch("bin/perfcheck-gemm-cpu");
  EXPECT_EQ(chosen("cpu"), "perfcheck-gemm-cpu") << "a backend without a configured worker must use the shipped one";
}

TEST_F(WorkerChoiceTest, AConfigurationNamedWithoutAFolderStartsAtThisOne) {
  EXPECT_THAT(configured_worker(config::parse_config("[workers]\ncpu = \"bin/mine\"", "perfcheck.toml"), "cpu", root_),
              ElementsAre("./bin/mine"));
}

TEST_F(WorkerChoiceTest, AConfiguredWorkerThatIsNotThereIsNamedWithItsPlaceAndTheRemedy) {
  toml_ = "[workers]\ncuda = \"build/mine\"\n";
  fs::create_directories(root_ / "project/build/mine");
  EXPECT_EQ(
      error_of("cuda"),
      fmt::format("{0}/project/perfcheck.toml: workers.cuda: {0}/project/build/mine: there is no such worker, and "
                  "backend cuda was chosen because given with --backend; build it, choose --backend cpu, mend the "
                  "entry, or name a worker with --worker",
                  root_.string()));
  toml_ = "[workers]\ncpu = \"'mine\"\n";
  EXPECT_THAT(error_of("cpu"), HasSubstr("perfcheck.toml: workers.cpu 'mine: a quote is not closed"));
}

TEST_F(WorkerChoiceTest, AGivenWorkerNeedsNoConfiguredOne) {
  toml_ = "[workers]\ncpu = \"nowhere\"\n";
  Options options;
  options.worker = "./mine";
  EXPECT_THAT(choose_worker(options, config(), root_, root_).argv, ElementsAre("./mine"));
}

TEST(SplitCommand, FollowsTheShell) {
  EXPECT_THAT(split_command("a  b\tc"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_command("a 'b c' \"d e\"f g\\ h ''"), ElementsAre("a", "b c", "d ef", "g h", ""));
  EXPECT_THAT(split_command("'a\\b' \"c\\\"d\""), ElementsAre("a\\b", "c\"d"));
  for (char const* bad : {"", "  ", "'a", "\"a", "a\\"}) {
    EXPECT_THROW(split_command(bad), UsageError) << bad;
  }
}

}  // namespace
}  // namespace perfcheck::measuring
