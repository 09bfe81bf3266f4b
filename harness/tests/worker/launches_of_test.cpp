// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker tells about the launches of a case that it does not time.
#include "launches_of.h"

#include "fake_worker.h"
#include "scripted_device.h"

#include <gmock/gmock.h>

namespace perfcheck::worker {
namespace {

using protocol::LaunchesAnswer;
using protocol::LaunchesRequest;

class LaunchesOf : public testing::Test {
 protected:
  LaunchesOf() {
    script_.backend = "cuda";
    script_.attributes.emplace_back().machine_code = "ab";
  }
  LaunchesAnswer ask(std::vector<KernelObject> const& objects = {}) {
    return launches_of(backend_, {.kernel = &kernel_, .problem = problem_.get(), .case_id = "fake/set/good@p"},
                       objects);
  }

  Script script_;
  ScriptedBackend backend_{script_};
  Calls calls_;
  KernelInfo const kernel_{.name = "good", .file = kFakeFile};
  std::unique_ptr<Problem> problem_ = fake_operation(calls_)->parse("p");
  std::vector<KernelObject> const objects_ = {
      {.file = kFakeFile, .machine_code = "cd", .called_code = "", .constants = ""}};
};

TEST_F(LaunchesOf, AreReadFromARecordingOfTwoAndNothingIsVerified) {
  LaunchesAnswer const answer = ask(objects_);
  ASSERT_EQ(answer.launches.size(), 1U);
  EXPECT_EQ(answer.launches.front().machine_code, "ab") << "the driver knows better than the build";
  EXPECT_EQ(calls_.launches, 1 + 2) << "one outside of the recording, and two in it";
  EXPECT_EQ(calls_.verifications, 0);
  EXPECT_TRUE(script_.events.empty()) << "nothing is replayed";
}

TEST_F(LaunchesOf, AreThoseOfTheBuildOnACpuWhereNothingIsLaunched) {
  script_.backend = "cpu";
  LaunchesAnswer const answer = ask(objects_);
  ASSERT_EQ(answer.launches.size(), 1U);
  EXPECT_EQ(answer.launches.front().machine_code, "cd");
  EXPECT_EQ(calls_.launches, 0);
}

TEST_F(LaunchesOf, ThatFailedAreNotToldAndTheReasonIs) {
  script_.settings = "a launch changed a limit";
  LaunchesAnswer const answer = ask(objects_);
  EXPECT_TRUE(answer.launches.empty());
  EXPECT_EQ(answer.message, "a launch changed a limit");
  EXPECT_FALSE(answer.context_lost);
}

TEST_F(ServerTest, TellsTheLaunchesThatAMeasurementTells) {
  setup_.kernel_objects = {{.file = kFakeFile, .machine_code = "ab", .called_code = "cd", .constants = "ef"}};
  EXPECT_TRUE(last<protocol::HelloAnswer>(ask(protocol::HelloRequest{.client = "test"})).tells_launches);
  auto const told = last<LaunchesAnswer>(ask(LaunchesRequest{.case_id = "fake/set/good@p"}));
  EXPECT_EQ(told.case_id, "fake/set/good@p");
  EXPECT_EQ(model::work_of(told.launches), model::work_of(measure("fake/set/good@p")));
  EXPECT_NE(model::work_of(told.launches), "");
  auto const of_library = last<LaunchesAnswer>(ask(LaunchesRequest{.case_id = "fake/set/reference@p"}));
  EXPECT_TRUE(of_library.launches.empty());
  EXPECT_EQ(of_library.message, "");
}

TEST_F(ServerTest, LaunchesOfAnUnknownKernelOrProblemAreAnError) {
  hello();
  for (char const* id : {"fake/set/none@p", "fake/set/good@nonsense"}) {
    EXPECT_EQ(last<protocol::ErrorAnswer>(ask(LaunchesRequest{.case_id = id})).code, "unknown_case") << id;
  }
  EXPECT_TRUE(alive_);
}

}  // namespace
}  // namespace perfcheck::worker
