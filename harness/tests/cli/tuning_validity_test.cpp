// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which points in the file of perfcheck tune are still valid.
#include "perfcheck/tuning/validity.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace perfcheck::tuning {
namespace {

constexpr char const* kProblem = "f32,nn,m64n64k64";
constexpr char const* kReference = "set/reference@f32,nn,m64n64k64";

/// A point of another program that launches the same, and everything that decides about it.
struct Scene {
  model::TuningSession session;
  Present present{.worker = {.whole = "program of today", .around_worker = "arguments"},
                  .environment = {},
                  .outdated = {},
                  .codes = {{"set/a:1@f32,nn,m64n64k64", "1:aa"}, {kReference, "1:bb"}}};
  model::TunedPoint point{.kernel = "set/a:1", .session = "s1", .time_ns = 100, .ratio = 1.5, .code = "1:aa"};
  std::string reference = kReference;

  Scene() {
    session.id = "s1";
    session.driver = "580";
    session.libraries = {{"cuBLAS", "13.1.0"}};
    session.worker = "program of that time";
    session.command = present.worker.around_worker;
    session.timing = 2;
    present.environment.driver = session.driver;
    present.environment.libraries = session.libraries;
    present.environment.timing = session.timing;
    point.reference_code = reference_code_of(kReference, present.codes);
  }
  Validity validity() const { return validity_of(point, kProblem, reference, session, present); }
};

TEST(TuningValidity, APointThatLaunchesTheSameIsValidInAnotherProgram) {
  EXPECT_EQ(Scene().validity(), Validity::same_code);
  EXPECT_EQ(validity_of(Scene().session, Scene().present), std::nullopt) << "the session alone cannot tell";
}

TEST(TuningValidity, EverythingThatChangedMakesAPointInvalidAndHasItsReason) {
  struct Change {
    char const* what;
    std::function<void(Scene&)> make;
    Validity validity;
  };
  std::vector<Change> const changes = {
      {"its code", [](Scene& s) { s.present.codes["set/a:1@f32,nn,m64n64k64"] = "1:ab"; }, Validity::code},
      {"what a hash means", [](Scene& s) { s.present.codes["set/a:1@f32,nn,m64n64k64"] = "2:aa"; }, Validity::code},
      {"its reference's code", [](Scene& s) { s.present.codes[kReference] = "1:bc"; }, Validity::reference},
      {"another reference of equal code",
       [](Scene& s) {
         s.reference = "set/other@f32,nn,m64n64k64";
         s.present.codes[s.reference] = "1:bb";
       },
       Validity::reference},
      {"code unknown now", [](Scene& s) { s.present.codes["set/a:1@f32,nn,m64n64k64"] = ""; }, Validity::unknown},
      {"reference unknown now", [](Scene& s) { s.present.codes.erase(kReference); }, Validity::unknown},
      {"code unknown then", [](Scene& s) { s.point.code = ""; }, Validity::unknown},
      {"reference unknown then", [](Scene& s) { s.point.reference_code = ""; }, Validity::unknown},
      {"both unknown", [](Scene& s) { s.present.codes = {}, s.point.code = s.point.reference_code = ""; },
       Validity::unknown},
      {"the driver", [](Scene& s) { s.present.environment.driver = "590"; }, Validity::environment},
      {"a library", [](Scene& s) { s.present.environment.libraries["cuBLAS"] = "13.2.0"; }, Validity::environment},
      {"the way of timing", [](Scene& s) { s.present.environment.timing = 3; }, Validity::command},
      {"the arguments", [](Scene& s) { s.present.worker.around_worker = "others"; }, Validity::command},
      {"a file of version 1", [](Scene& s) { s.session.command = ""; }, Validity::unknown},
      {"--again", [](Scene& s) { s.present.outdated = {"s1"}; }, Validity::again},
  };
  for (Change const& change : changes) {
    Scene scene;
    change.make(scene);
    EXPECT_EQ(scene.validity(), change.validity) << change.what;
    EXPECT_FALSE(is_valid(scene.validity())) << change.what;
  }
}

TEST(TuningValidity, OfTheSameProgramNeedsNoCode) {
  Scene scene;
  scene.session.worker = scene.present.worker.whole;
  scene.session.command = "";
  scene.present.codes = {};
  EXPECT_EQ(scene.validity(), Validity::same_program);
  scene.present.environment.driver = "590";
  EXPECT_EQ(scene.validity(), Validity::environment);
  scene.present.outdated = {"s1"};
  EXPECT_EQ(scene.validity(), Validity::again);
}

model::LaunchAttributes launch(std::string machine_code) {
  model::LaunchAttributes launch;
  launch.function = "kernel";
  launch.grid = {8, 1, 1};
  launch.block = {128, 1, 1};
  launch.machine_code = std::move(machine_code);
  launch.called_code = "01";
  launch.constants = "02";
  launch.arguments = "03";
  launch.attributes = "default";
  return launch;
}

TEST(TuningCode, OfAnOwnKernelChangesWithEverythingThatIsKnownOfItsLaunches) {
  std::vector<std::function<void(model::LaunchAttributes&)>> const changes = {
      [](auto& one) { one.machine_code = "ff"; }, [](auto& one) { one.called_code = "ff"; },
      [](auto& one) { one.constants = "ff"; },    [](auto& one) { one.arguments = "ff"; },
      [](auto& one) { one.attributes = "ff"; },   [](auto& one) { one.grid[1] = 2; },
      [](auto& one) { one.block[0] = 256; },      [](auto& one) { one.shared_bytes = 1024; },
      [](auto& one) { one.registers = 255; },     [](auto& one) { one.graph = "ff"; }};
  std::string const code = code_of({launch("aa"), launch("ab")}, false);
  EXPECT_NE(code, "");
  EXPECT_EQ(code_of({launch("aa"), launch("ab")}, false), code);
  EXPECT_NE(code_of({launch("ab"), launch("aa")}, false), code);
  EXPECT_NE(code_of({launch("aa")}, false), code);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    std::vector<model::LaunchAttributes> changed = {launch("aa"), launch("ab")};
    changes[i](changed[1]);
    EXPECT_NE(code_of(changed, false), code) << "change " << i;
  }
}

TEST(TuningCode, OfAnOwnKernelDoesNotDependOnTheNumberThatAPointHasInItsSpace) {
  model::LaunchAttributes before = launch("aa"), after = launch("aa");
  before.other_nodes = after.other_nodes = model::kNoOtherNodes;
  before.function = "ring<Space, 3>";
  before.graph = "hash of a node with that name";
  after.function = "ring<Space, 2>";
  after.graph = "hash of a node with this name";
  EXPECT_EQ(code_of({before}, false), code_of({after}, false));
  EXPECT_NE(code_of({before, launch("ab")}, false), code_of({after, launch("ab")}, false)) << "the order of two counts";
  before.other_nodes = after.other_nodes = "a memset";
  EXPECT_NE(code_of({before}, false), code_of({after}, false)) << "its place counts";
}

TEST(TuningCode, IsUnknownWhereTheMachineCodeOfOneLaunchIs) {
  EXPECT_EQ(code_of({}, false), "");
  EXPECT_EQ(code_of({launch("aa"), launch("")}, false), "") << "compiled by the driver, or of a library";
}

TEST(TuningCode, OfALibraryIsWhichOfItsKernelsWereLaunchedAndHow) {
  std::string const code = code_of({launch("")}, true);
  EXPECT_NE(code, "");
  model::LaunchAttributes other_bytes = launch("");
  other_bytes.arguments = "ff";
  EXPECT_EQ(code_of({other_bytes}, true), code) << "cuBLAS passes others in each process";
  model::LaunchAttributes other_kernel = launch("");
  other_kernel.function = "another_of_its_kernels";
  EXPECT_NE(code_of({other_kernel}, true), code);
  EXPECT_NE(code_of({}, true), "") << "on a CPU nothing can be read, and the version decides";
  EXPECT_NE(code_of({}, true), code);
}

TEST(TuningReview, SaysHowManyPointsAreValidAndWhyOthersAreNot) {
  EXPECT_EQ(review_text({}), "");
  EXPECT_EQ(review_text({{Validity::same_program, 3}, {Validity::same_code, 409}}),
            "412 of 412 points in the file are still valid (same program: 3, same code: 409)");
  EXPECT_EQ(
      review_text({{Validity::same_code, 412}, {Validity::code, 16}, {Validity::unknown, 2}}),
      "412 of 430 points in the file are still valid (same code: 412); 18 are measured again (other program, code "
      "unknown: 2, other code: 16)");
  EXPECT_EQ(review_text({{Validity::again, 2}}),
            "0 of 2 points in the file are still valid; 2 are measured again (as asked: 2)");
}

class CommandHashesTest : public ::testing::Test {
 protected:
  CommandHashesTest() { std::filesystem::create_directory(folder_); }
  ~CommandHashesTest() override { std::filesystem::remove_all(folder_); }

  std::string program(std::string const& name, std::string const& contents) const {
    std::filesystem::path const path = folder_ / name;
    std::ofstream(path) << contents;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }
  static CommandHashes hashes(std::vector<std::string> argv) {
    session::WorkerCommand command;
    command.argv = std::move(argv);
    return hashes_of(command);
  }

  std::filesystem::path const folder_ =
      std::filesystem::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(CommandHashesTest, AnotherProgramChangesTheWholeAndNotWhatIsAroundIt) {
  std::string const one = program("one", "code"), same = program("same", "code"), other = program("other", "edoc");
  EXPECT_EQ(hashes({one, "--x"}).whole, hashes({same, "--x"}).whole) << "where it lies makes no difference";
  EXPECT_NE(hashes({one, "--x"}).whole, hashes({other, "--x"}).whole);
  EXPECT_EQ(hashes({one, "--x"}).around_worker, hashes({other, "--x"}).around_worker);
}

TEST_F(CommandHashesTest, ArgumentsAndWhatRunsTheWorkerChangeBoth) {
  std::string const worker = program("worker", "code"), runner = program("runner", "runs"),
                    other = program("other", "2");
  CommandHashes const plain = hashes({worker}), run = hashes({runner, worker, "--x"});
  for (auto const& [what, argv] : std::map<std::string, std::vector<std::string>>{
           {"argument", {worker, "--x"}}, {"runner", {runner, worker}}, {"word", {"taskset", worker}}}) {
    EXPECT_NE(hashes(argv).whole, plain.whole) << what;
    EXPECT_NE(hashes(argv).around_worker, plain.around_worker) << what;
  }
  EXPECT_NE(hashes({other, worker, "--x"}).around_worker, run.around_worker);
  EXPECT_NE(hashes({runner, worker, "--y"}).around_worker, run.around_worker);
}

TEST_F(CommandHashesTest, WithoutAProgramAmongTheWordsAllOfThemCount) {
  EXPECT_NE(hashes({"python3", "a.py"}).around_worker, hashes({"python3", "b.py"}).around_worker);
  EXPECT_NE(hashes({"python3", "a.py"}).around_worker, hashes({"ruby", "a.py"}).around_worker);
}

}  // namespace
}  // namespace perfcheck::tuning
