// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Guarantees of the scripted worker, on which the end-to-end tests of the program rely.
#include "process_check.h"
#include "scene.h"

namespace perfcheck::session {
namespace {

using testing::by_id;
using testing::Scene;
using testing::scripted;

TEST(ScriptedWorker, TheSameSeedGivesTheSameTimesAndASessionCounterChangesThem) {
  auto const times = [](std::vector<std::string> const& flags) {
    Scene scene(scripted(flags), {"p1"});
    return by_id(scene.run()).at("fake/a@p1").rounds->time_ns;
  };
  EXPECT_EQ(times({}), times({}));
  testing::TemporaryFile const counter;
  EXPECT_NE(times({"--sessions", counter.path()}), times({"--sessions", counter.path()}));
}

TEST(ScriptedWorker, ASlowKernelIsSlowerByItsFactorInTimeAndCycles) {
  auto const first_round = [](std::vector<std::string> flags) {
    flags.insert(flags.end(), {"--noise", "0", "--session-noise", "0"});
    Scene scene(scripted(flags), {"f32,nn,m512n512k512"});
    return *by_id(scene.run()).at("fake/a@f32,nn,m512n512k512").rounds;
  };
  model::Rounds const normal = first_round({});
  model::Rounds const slow = first_round({"--slow", "fake/a@*=1.03"});
  EXPECT_NEAR(slow.time_ns[0] / normal.time_ns[0], 1.03, 1e-5);
  EXPECT_EQ(slow.reference_time_ns[0], normal.reference_time_ns[0]);
  EXPECT_EQ(slow.clock_mhz[0], normal.clock_mhz[0]);
}

}  // namespace
}  // namespace perfcheck::session
