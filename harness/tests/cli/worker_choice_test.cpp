// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/worker_choice.h"

#include "perfcheck/console/errors.h"

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
    return choose_worker(options, root_, root_ / "bin");
  }
  std::string chosen(std::string const& backend) const { return fs::path(choose(backend).argv.at(0)).filename(); }

  fs::path root_;
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
  EXPECT_THAT(choose_worker(options, root_, root_).argv, ElementsAre("./mine", "--flag", "two words"));
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
