// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker may lie, or be fooled by its kernels. Its answers are checked for the impossible.
#include "belief.h"

#include "perfcheck/session/session_runner.h"
#include "scripted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace perfcheck::session {
namespace {

using model::CaseStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::scripted;

constexpr char const* kVictim = "fake/a@p1";

/// `count` rounds, each with 10 launches of 1 ms of the case and of the reference: 20 ms per round.
model::CaseResult timed(std::size_t count, model::Proof proof = {}) {
  model::CaseResult result;
  result.id = result.reference = kVictim;
  result.status = CaseStatus::measured;
  result.rounds = model::Rounds{.launches = 10,
                                .reference_launches = 10,
                                .time_ns = std::vector<double>(count, 1e6),
                                .reference_time_ns = std::vector<double>(count, 1e6),
                                .clock_mhz = {},
                                .reference_clock_mhz = {}};
  result.proof = proof;
  return result;
}

TEST(LongerThanWaited, AllowsForClocksThatDiffer) {
  model::CaseResult const result = timed(50);  // 1 s
  EXPECT_EQ(longer_than_waited(result, 1.0), std::nullopt);
  EXPECT_EQ(longer_than_waited(result, 0.975), std::nullopt);
  EXPECT_EQ(longer_than_waited(timed(1), 0.0125), std::nullopt);
  std::optional<model::Disbelief> const found = longer_than_waited(result, 0.965);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->status, CaseStatus::invalid);
  EXPECT_EQ(found->message, "its clock says 1 s of launches, perfcheck waited 0.965 s");
}

TEST(LongerThanWaited, CountsCaseAndReferenceAndNothingThatIsNoNumber) {
  model::CaseResult result = timed(50);
  result.rounds->reference_time_ns.clear();
  EXPECT_EQ(longer_than_waited(result, 0.5), std::nullopt);
  EXPECT_TRUE(longer_than_waited(result, 0.4));
  EXPECT_TRUE(longer_than_waited(result, std::numeric_limits<double>::quiet_NaN()));
  result.rounds->time_ns[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(longer_than_waited(result, 10));
}

struct ProofRow {
  int replays, compared;
  char const* says;  ///< part of the objection; empty if the proof is believed
};

TEST(ProvesTooLittle, OneInFourOfEveryTimedReplayMustBeCompared) {
  // 20 rounds: 40 timed replays.
  for (ProofRow const& row :
       {ProofRow{40, 40, ""}, ProofRow{40, 10, ""}, ProofRow{43, 10, ""}, ProofRow{400, 100, ""},
        ProofRow{40, 9, "compared 9 of 40 replays; at least one in four must be"},
        ProofRow{44, 10, "compared 10 of 44 replays"}, ProofRow{40, 1, "compared 1 of 40 replays"},
        ProofRow{40, 0, "compared 0 of 40 replays"},
        ProofRow{39, 39, "its proof is of 39 replays, and it tells the times of 40"},
        ProofRow{0, 0, "its proof is of 0 replays"}, ProofRow{-1, 40, "its proof is of -1 replays"}}) {
    model::Proof const proof{.replays = row.replays, .compared = row.compared};
    std::optional<model::Disbelief> const found = proves_too_little(timed(20, proof));
    EXPECT_EQ(!found, std::string(row.says).empty()) << row.replays << " " << row.compared;
    if (found) {
      EXPECT_EQ(found->status, CaseStatus::invalid);
      EXPECT_THAT(found->message, HasSubstr(row.says));
    }
  }
}

TEST(ProvesTooLittle, OneRoundIsComparedAtLeastOnce) {
  EXPECT_TRUE(proves_too_little(timed(1, {.replays = 2, .compared = 0})));
  EXPECT_FALSE(proves_too_little(timed(1, {.replays = 2, .compared = 1})));
}

struct Lie {
  char const* name;
  char const* patch;  ///< JSON Patch of the result, or of hello
  CaseStatus status;
  char const* says;
};

std::ostream& operator<<(std::ostream& out, Lie const& lie) { return out << lie.name; }

class AWorkerThatLies : public ::testing::TestWithParam<Lie> {};

TEST_P(AWorkerThatLies, IsNotBelievedAboutThatCase) {
  Lie const& lie = GetParam();
  SessionOptions options;
  options.worker = scripted({"--fault", lie.patch});
  WorkerClient planner(scripted(), nullptr);
  SessionObserver nobody;
  model::Session const session = run_session(planner.plan({"p1", "p2"}, 20).cases, options, nullptr, nobody);
  ASSERT_EQ(session.cases.size(), 6U);
  for (model::CaseResult const& result : session.cases) {
    if (result.id != kVictim) {
      EXPECT_EQ(result.status, CaseStatus::measured) << result.id << ": " << result.message;
      continue;
    }
    EXPECT_EQ(result.status, lie.status) << result.message;
    EXPECT_THAT(result.message, HasSubstr(lie.says));
    EXPECT_FALSE(result.rounds);
    EXPECT_FALSE(result.proof);
    EXPECT_THAT(result.stop_reason, IsEmpty());
    EXPECT_NO_THROW((void)model::case_result_from_json(model::to_json(result), "a run file", "case"));
  }
}

// Half of 524288 FLOP at 0.1 TFLOP/s takes 2.62 us, the shortest time that is believed.
INSTANTIATE_TEST_SUITE_P(
    Session, AWorkerThatLies,
    ::testing::Values(
        Lie{"ATime", R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/rounds/time_ns/7","value":680}])",
            CaseStatus::implausible,
            "0.68 us per launch (round 8 of 20) is 3.86 times faster than the device can: half of 524 kFLOP"},
        Lie{"AReferenceTime",
            R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/rounds/reference_time_ns/0","value":680}])",
            CaseStatus::implausible, "its reference fake/reference@p1: 0.68 us per launch (round 1 of 20)"},
        Lie{"TheClock", R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/rounds/launches","value":1000000}])",
            CaseStatus::invalid, "s of launches, perfcheck waited 0.0"},
        Lie{"TheProof", R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/proof/compared","value":1}])",
            CaseStatus::invalid, "compared 1 of 40 replays; at least one in four must be"},
        Lie{"Replays",
            R"(result:fake/a@p1=patch:[{"op":"add","path":"/result/proof","value":{"replays":4,"compared":4,)"
            R"("outputs_compared":4,"clock_deviation":0}}])",
            CaseStatus::invalid, "its proof is of 4 replays, and it tells the times of 40"},
        Lie{"NoProof", R"(result:fake/a@p1=patch:[{"op":"remove","path":"/result/proof"}])", CaseStatus::failed,
            "without \"proof\""},
        Lie{"TheWork", R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/work/flop","value":1000}])",
            CaseStatus::failed, "it planned fake/a@p1 with 524288 FLOP and 49152 bytes, its result has 1000"}),
    [](auto const& row) { return row.param.name; });

model::Session session_of(std::vector<std::string> const& flags) {
  SessionOptions options;
  options.worker = scripted(flags);
  WorkerClient planner(scripted(), nullptr);
  SessionObserver nobody;
  return run_session(planner.plan({"p1"}, 20).cases, options, nullptr, nobody);
}

CaseStatus status_in(model::Session const& session, std::string const& id) {
  for (model::CaseResult const& result : session.cases) {
    if (result.id == id) return result.status;
  }
  return CaseStatus::failed;
}

TEST(ADeclaration, IsWhatItsKernelIsHeldAgainst) {
  char const* const slower_unit = R"(hello=patch:[{"op":"add","path":"/device/peak_tflops/f64","value":0.001},)"
                                  R"({"op":"add","path":"/kernels/1/executes","value":"f64"}])";
  EXPECT_EQ(status_in(session_of({"--fault", slower_unit}), kVictim), CaseStatus::implausible);
  char const* const unknown_unit = R"(hello=patch:[{"op":"add","path":"/kernels/1/executes","value":"f63"}])";
  model::Session const session = session_of({"--fault", unknown_unit});
  EXPECT_EQ(status_in(session, kVictim), CaseStatus::invalid);
  EXPECT_EQ(status_in(session, "fake/b@p1"), CaseStatus::measured);
}

TEST(ASession, SaysWhatItCouldNotCheck) {
  EXPECT_THAT(session_of({}).environment.warnings, IsEmpty());
  char const* const unknown = R"(hello=patch:[{"op":"replace","path":"/device/peak_tflops","value":{}}])";
  EXPECT_THAT(session_of({"--fault", unknown}).environment.warnings,
              ElementsAre(HasSubstr("physics: the device's peak arithmetic is unknown")));
}

}  // namespace
}  // namespace perfcheck::session
