// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The fastest rounds of two builds on a shared device decide where the medians cannot.
#include "world.h"

#include <gmock/gmock.h>

#include <random>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::HasSubstr;

std::string const kCase = "gemm/cpu/blocked@f32,nn,m64n64k64";
constexpr double kTime = 1e5;                     // of a fast round
constexpr double kUsualTime = Session().time_ns;  // of the median of a session that nothing disturbs
constexpr std::size_t kPairs = 8;

/// A case whose medians scatter so much that they decide nothing: they exceed the margin, but not significantly.
class Busy {
 public:
  explicit Busy(std::string id = kCase) : id_(std::move(id)) {
    world.policy.shared_device = true;
    world.policy.margin = 0.1;
    world.policy.min_sd = 0.01;
    world.policy.confirm_sessions = static_cast<int>(kPairs);
  }

  /// Decides about fresh sessions whose fastest rounds are these shares of kTime, for the new and for the base build.
  CaseDecision decide(std::vector<double> const& head, std::vector<double> const& base) {
    std::vector<double> const noise = {1.15, 2.2, 1.5, 1.85, 1.25, 2.1, 1.4, 1.95};
    world.stored(id_, sessions({1.0, 1.5, 1.2, 1.8, 1.1, 1.6}));
    world.screened(id_, sessions({1.5}));
    world.confirmed(id_, sessions({noise.begin(), noise.begin() + static_cast<std::ptrdiff_t>(head.size())}));
    for (std::size_t i = 0; i < head.size(); ++i) add_round(*world.result(id_, 1 + i).rounds, kTime * head[i]);
    for (double const share : base) world.base_fastest[id_].push_back({kTime * share, kUsualTime * usual_base});
    return world.decide(id_);
  }

  World world;
  double usual_base = 1.15;  ///< median of the base build's sessions, as a share of kUsualTime

 private:
  /// Adds a round with the ratio and cycles of the others, so that the medians stay.
  static void add_round(model::Rounds& rounds, double time_ns) {
    double const share = time_ns / rounds.time_ns.front();
    rounds.reference_time_ns.push_back(rounds.reference_time_ns.front() * share);
    rounds.clock_mhz.push_back(rounds.clock_mhz.front() / share);
    rounds.reference_clock_mhz.push_back(rounds.reference_clock_mhz.front() / share);
    rounds.time_ns.push_back(time_ns);
  }

  std::string id_;
};

std::vector<double> const kQuiet = {1.0, 1.01, 1.02, 1.01, 1.0, 1.03, 1.02, 1.01};

std::vector<double> times(std::vector<double> shares, double factor) {
  for (double& share : shares) share *= factor;
  return shares;
}

TEST(FastestRounds, WithoutThemABusyMachineLeavesTheCaseUndecided) {
  Busy busy;
  CaseDecision const decision = busy.decide(kQuiet, {});
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
}

TEST(FastestRounds, AsFastAsTheBaseBuildsPassAndSayWhatTheyExclude) {
  Busy busy;
  CaseDecision const decision = busy.decide(kQuiet, kQuiet);
  EXPECT_EQ(decision.verdict, Verdict::pass) << decision.reason;
  EXPECT_EQ(decision.reason_code, "fastest_rounds_within_margin");
  // Four of eight come before the first of the other eight with a chance of 1 in 26.
  EXPECT_NEAR(decision.at_most.value(), 0.01, 1e-9);
  // With half of alpha for a single case, it is the fifth.
  EXPECT_NEAR(decision.detectable.value(), 1.1 * 1.01 - 1, 1e-9);
}

TEST(FastestRounds, DoNotAcquitCodeThatIsSlowInMostOfItsRounds) {
  Busy busy;
  busy.usual_base = 1.0;  // the new build's calmest session has a median of 1.15
  CaseDecision const decision = busy.decide(kQuiet, kQuiet);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
}

TEST(FastestRounds, SlowerThanTheMarginRegressed) {
  Busy busy;
  CaseDecision const decision = busy.decide(times(kQuiet, 1.2), kQuiet);
  EXPECT_EQ(decision.verdict, Verdict::regressed) << decision.reason;
  EXPECT_EQ(decision.reason_code, "fastest_rounds_above_margin");
  EXPECT_THAT(decision.reason, HasSubstr("+20.0 %"));
  EXPECT_FALSE(decision.at_most);
}

TEST(FastestRounds, AFewSessionsThatNeighboursSpoiltChangeNothing) {
  std::vector<double> spoilt = kQuiet;
  spoilt[1] = 4;
  EXPECT_EQ(Busy().decide(times(kQuiet, 1.2), spoilt).verdict, Verdict::regressed);
  EXPECT_EQ(Busy().decide(spoilt, kQuiet).verdict, Verdict::pass);
}

TEST(FastestRounds, JustBeyondTheMarginIsUndecided) {
  EXPECT_EQ(Busy().decide(times(kQuiet, 1.1), kQuiet).verdict, Verdict::inconclusive);
}

TEST(FastestRounds, OfTooFewSessionsDecideNothing) {
  EXPECT_EQ(Busy().decide({1.0, 1.0}, {1.0, 1.0}).verdict, Verdict::inconclusive);
  EXPECT_EQ(Busy().decide({2.0, 2.0}, {1.0, 1.0}).verdict, Verdict::inconclusive);
}

TEST(FastestRounds, OnADeviceOfItsOwnAreNotAsked) {
  Busy busy;
  busy.world.policy.shared_device = false;
  EXPECT_NE(busy.decide(times(kQuiet, 1.2), kQuiet).reason_code, "fastest_rounds_above_margin");
}

TEST(FastestRounds, AreNotAskedBeforeConfirmationIsComplete) {
  Busy busy;
  busy.world.look = Look::first;
  CaseDecision const decision = busy.decide(times(kQuiet, 1.2), kQuiet);
  EXPECT_NE(decision.verdict, Verdict::regressed);
  EXPECT_TRUE(decision.wants_confirmation);
}

TEST(FastestRounds, ThatWouldNotHaveSeenWhatThePolicyWantsAcquitNobody) {
  Busy busy;
  busy.world.policy.max_detectable = 0.11;
  EXPECT_EQ(busy.decide(kQuiet, kQuiet).verdict, Verdict::inconclusive);
}

TEST(FastestRounds, DoNotAcquitRoundsThatAreSlowNowAndThen) {
  Busy busy;
  busy.world.policy.tail_margin = 0.5;
  busy.world.policy.tail_rate = 0.001;
  busy.decide(kQuiet, kQuiet);
  for (std::size_t i = 1; i <= kPairs; ++i) {
    model::Rounds& rounds = *busy.world.result(kCase, i).rounds;
    rounds.reference_time_ns.assign(20, kTime / 2);
    rounds.time_ns.assign(20, kTime);
    for (std::size_t k = 0; k < 6; ++k) rounds.time_ns[k] = 100 * kTime;
    rounds.clock_mhz.assign(20, 2000);
    rounds.reference_clock_mhz.assign(20, 2000);
  }
  CaseDecision decision = busy.world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
  EXPECT_EQ(decision.reason_code, "new_tail");
  for (FastRounds& session : busy.world.base_fastest[kCase]) session.fastest_ns /= 1.2;
  decision = busy.world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::regressed) << "and they convict: " << decision.reason;
}

/// Neighbours as in the recordings of docs/evidence: most sessions find a quiet moment, some never do.
std::vector<double> fastest_of_busy_sessions(std::mt19937_64& random) {
  std::exponential_distribution<double> small(1 / 0.03), large(1 / 0.4);
  std::bernoulli_distribution spoilt(0.15);
  std::vector<double> shares;
  for (std::size_t i = 0; i < kPairs; ++i) shares.push_back(1 + (spoilt(random) ? large(random) : small(random)));
  return shares;
}

int called(Verdict verdict, double slowdown, std::uint64_t seed, int trials) {
  std::mt19937_64 random(seed);
  int count = 0;
  for (int i = 0; i < trials; ++i) {
    std::vector<double> const head = times(fastest_of_busy_sessions(random), slowdown);
    count += Busy().decide(head, fastest_of_busy_sessions(random)).verdict == verdict ? 1 : 0;
  }
  return count;
}

TEST(FastestRounds, OfEqualCodeAreNotCalledSlowerAndMostlyPass) {
  EXPECT_EQ(called(Verdict::regressed, 1.0, 1, 500), 0);
  EXPECT_GE(called(Verdict::pass, 1.0, 2, 500), 400);
}

TEST(FastestRounds, OfCodeThatIsSlowerThanTheMarginSeldomPass) {
  EXPECT_LE(called(Verdict::pass, 1.2, 3, 500), 2);
  EXPECT_GE(called(Verdict::regressed, 1.3, 4, 500), 400);
}

TEST(FastestRounds, AtTheMarginAreCalledSlowerAsSeldomAsAlphaSays) {
  EXPECT_LE(called(Verdict::regressed, 1.1, 5, 1000), 40);
}

TEST(FastestRounds, AreThoseOfTheSessionsOfAPurposeThatMeasuredTheCase) {
  model::Session session;
  session.purpose = model::SessionPurpose::confirm;
  model::CaseResult measured;
  measured.id = kCase;
  measured.status = model::CaseStatus::measured;
  measured.rounds = model::Rounds{.launches = 1, .reference_launches = 1, .time_ns = {3, 2, 5}};
  model::CaseResult unfit = measured, crashed = measured;
  unfit.unfit = {"hot"};
  crashed.status = model::CaseStatus::crashed;
  session.cases = {measured, unfit, crashed};
  model::Session screen = session;
  screen.purpose = model::SessionPurpose::screen;
  auto const fastest = fastest_rounds({screen, session, session}, model::SessionPurpose::confirm);
  ASSERT_EQ(fastest.size(), 1U);
  ASSERT_EQ(fastest.at(kCase).size(), 2U);
  for (FastRounds const& one : fastest.at(kCase)) {
    EXPECT_EQ(one.fastest_ns, 2);
    EXPECT_EQ(one.median_ns, 3);
  }
}

}  // namespace
}  // namespace perfcheck::gate::testing
