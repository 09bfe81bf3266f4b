// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The looks at the confirming sessions, and which cases ask for more sessions after each.
#include "perfcheck/gate/confirm.h"
#include "world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::ElementsAre;
using ::testing::Pair;

std::string const kCase = "k@p";

std::vector<std::pair<Look, int>> looks(int sessions, bool beside_base = false, bool shared_device = false) {
  std::vector<std::pair<Look, int>> list;
  for (auto const& [look, by_then] :
       Policy{.confirm_sessions = sessions, .shared_device = shared_device}.looks(beside_base)) {
    list.emplace_back(look, by_then);
  }
  return list;
}

TEST(Looks, AreAGlanceAFirstAndALastOne) {
  EXPECT_THAT(looks(6), ElementsAre(Pair(Look::glance, 1), Pair(Look::first, 2), Pair(Look::last, 6)));
  EXPECT_THAT(looks(12), ElementsAre(Pair(Look::glance, 1), Pair(Look::first, 4), Pair(Look::last, 12)));
}

TEST(Looks, OfFewSessionsAreFewer) {
  EXPECT_THAT(looks(3), ElementsAre(Pair(Look::glance, 1), Pair(Look::first, 2), Pair(Look::last, 3)));
  EXPECT_THAT(looks(2), ElementsAre(Pair(Look::glance, 1), Pair(Look::last, 2)));
  EXPECT_THAT(looks(1), ElementsAre(Pair(Look::last, 1)));
  EXPECT_THAT(looks(0), ElementsAre());
}

TEST(Looks, BesideABaseBuildAndOnASharedDeviceHaveNoGlance) {
  EXPECT_THAT(looks(6, true), ElementsAre(Pair(Look::first, 2), Pair(Look::last, 6)));
  EXPECT_THAT(looks(4, false, true), ElementsAre(Pair(Look::first, 2), Pair(Look::last, 4)));
}

/// Stored sessions scatter by 0.2 %, so a screen that sees +0.7 % does not exclude +1 %.
World noisy(double screen, std::vector<double> const& fresh, Look look) {
  World world;
  world.stored(kCase, sessions({1.0, 1.002, 0.998, 1.001, 0.999})).screened(kCase, sessions({screen}));
  world.confirmed(kCase, sessions(fresh));
  world.look = look;
  return world;
}

TEST(Glance, EndsWhatTheScreenOnlyFailedToExcludeAndAFreshSessionExcludes) {
  CaseDecision const decision = noisy(1.008, {1.001}, Look::glance).decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  EXPECT_EQ(decision.reason_code, "change_within_margin");
  EXPECT_FALSE(decision.wants_confirmation);
}

TEST(Glance, GoesOnWhereTheFreshSessionDoesNotExcludeIt) {
  CaseDecision const decision = noisy(1.008, {1.008}, Look::glance).decide(kCase);
  EXPECT_EQ(decision.reason_code, "not_confirmed");
  EXPECT_TRUE(decision.wants_confirmation);
}

TEST(Glance, GoesOnWhereTheScreenSawASlowdownThatMayComeAndGo) {
  for (double const screen : {1.012, 1.05}) {
    EXPECT_TRUE(noisy(screen, {1.0}, Look::glance).decide(kCase).wants_confirmation) << screen;
    EXPECT_FALSE(noisy(screen, {1.0, 1.0}, Look::first).decide(kCase).wants_confirmation)
        << screen << ": two fresh sessions are enough to end it";
    CaseDecision const alone = noisy(screen, {1.0}, Look::last).decide(kCase);
    EXPECT_EQ(alone.verdict, Verdict::inconclusive) << "one session must not acquit, even if no more will follow";
    EXPECT_EQ(alone.reason_code, "needs_confirmation");
  }
}

TEST(Glance, ConvictsNobodyHoweverFarOff) {
  for (double const factor : {1.05, 2.0, 0.5}) {
    EXPECT_TRUE(noisy(factor, {factor}, Look::glance).decide(kCase).wants_confirmation) << factor;
  }
  EXPECT_FALSE(noisy(2.0, {2.0, 2.0}, Look::first).decide(kCase).wants_confirmation) << "the first look may convict";
}

/// Smallest slowdown of two fresh sessions, in steps of 0.01 %, that a look calls regressed.
double smallest_convicted(Look look) {
  double factor = 1.01;
  while (factor < 1.1 &&
         noisy(1.05, {factor - 0.0005, factor + 0.0005}, look).decide(kCase).verdict != Verdict::regressed) {
    factor += 0.0001;
  }
  return factor;
}

TEST(Looks, SpendAFifthOfAlphaFirstAndTheRestAtLast) {
  double const first = smallest_convicted(Look::first), last = smallest_convicted(Look::last);
  EXPECT_GT(first, last + 0.0005) << "with a fifth of alpha, the first look must need more";
  World all_at_once = noisy(1.05, {last - 0.0007, last + 0.0003}, Look::last);
  EXPECT_NE(all_at_once.decide(kCase).verdict, Verdict::regressed);
  all_at_once.policy.alpha /= 0.8;
  EXPECT_EQ(all_at_once.decide(kCase).verdict, Verdict::regressed) << "the last look must spend four fifths of alpha";
  EXPECT_GT(noisy(1.05, {1.05, 1.05}, Look::first).decide(kCase).detectable,
            noisy(1.05, {1.05, 1.05}, Look::last).decide(kCase).detectable);
}

TEST(Glance, OfOneSessionConvictsNobodyAtTheLastLookEither) {
  CaseDecision const alone = noisy(1.05, {1.05}, Look::last).decide(kCase);
  EXPECT_EQ(alone.verdict, Verdict::inconclusive) << alone.reason;
  EXPECT_EQ(alone.reason_code, "needs_confirmation");
  EXPECT_EQ(noisy(1.05, {1.05, 1.05}, Look::last).decide(kCase).verdict, Verdict::regressed);
  World world = noisy(1.05, {1.05}, Look::last);
  world.policy.confirm_sessions = 1;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed)
      << "one session must suffice if the policy asks for no more";
}

/// Cycles decide and are unchanged. The ratio, which scatters by 0.5 %, and the time rise by the factors `screen` and
/// `fresh`.
World slow_ratio(double screen, double fresh) {
  World world;
  std::vector<Session> stored;
  for (double const factor : {1.0, 1.005, 0.995, 1.006, 0.994, 1.0, 1.003, 0.997}) {
    stored.push_back({.ratio = 2.0 * factor, .cycles = 1e6 * (1 + (factor - 1) / 20), .time_ns = 5e5 * factor});
  }
  world.stored(kCase, stored);
  world.screened(kCase, {{.ratio = 2.0 * screen, .time_ns = 5e5 * screen}});
  world.confirmed(kCase, {{.ratio = 2.0 * fresh, .time_ns = 5e5 * fresh}});
  world.look = Look::glance;
  return world;
}

TEST(Glance, GoesOnWhereTheOtherWitnessSawASlowdownAndDoesNotExcludeIt) {
  CaseDecision const decision = slow_ratio(1.04, 1.008).decide(kCase);
  EXPECT_EQ(decision.decided_by, "cycles");
  EXPECT_TRUE(decision.wants_confirmation) << decision.reason;
  EXPECT_FALSE(slow_ratio(1.04, 0.99).decide(kCase).wants_confirmation) << "the fresh session excludes the slowdown";
}

TEST(Glance, GoesOnWhereOneFreshSessionIsDistinctlySlowAlthoughTheScreenWasNot) {
  EXPECT_TRUE(noisy(1.0, {1.05}, Look::glance).decide(kCase).wants_confirmation);
  EXPECT_FALSE(noisy(1.0, {1.001}, Look::glance).decide(kCase).wants_confirmation);
}

TEST(Glance, IsNotTheLastWordAboutAKernelWhoseCasesTogetherAreSlower) {
  World world;
  for (int i = 0; i < 15; ++i) {
    std::string const id = "k@p" + std::to_string(i);
    world.stored(id, sessions(quiet())).screened(id, sessions({1.008})).confirmed(id, sessions({1.008}));
  }
  world.look = Look::glance;
  for (CaseDecision const& decision : world.decide().cases) {
    EXPECT_TRUE(decision.wants_confirmation) << decision.id << ": " << decision.reason;
  }
}

Decisions asking_for(std::vector<std::string> const& ids) {
  Decisions decisions;
  for (std::string const& id : ids) {
    decisions.cases.emplace_back();
    decisions.cases.back().id = id;
    decisions.cases.back().wants_confirmation = true;
  }
  return decisions;
}

/// What confirm() measured, as "CASES: FROM to TO", if the looks ask for the sets in `asked` one after the other.
std::vector<std::string> measured(std::vector<std::vector<std::string>> asked, std::vector<Look>& decided) {
  std::vector<std::string> list;
  std::size_t next = 0;
  (void)confirm(
      asking_for(asked.at(next++)), Policy{.confirm_sessions = 6}.looks(false),
      [&](std::set<std::string> const& cases, int from, int to) {
        list.push_back(fmt::format("{}: {} to {}", fmt::join(cases, " "), from, to));
      },
      [&](Look look) {
        decided.push_back(look);
        return asking_for(next < asked.size() ? asked[next++] : std::vector<std::string>{});
      });
  return list;
}

TEST(Confirm, MeasuresWhatIsOpenUntilNothingIsAndDecidesAtLast) {
  std::vector<Look> decided;
  EXPECT_THAT(measured({{"a", "b", "c"}, {"a", "b"}, {"b"}}, decided),
              ElementsAre("a b c: 0 to 1", "a b: 1 to 2", "b: 2 to 6"));
  EXPECT_THAT(decided, ElementsAre(Look::glance, Look::first, Look::last));
  decided.clear();
  EXPECT_THAT(measured({{"a"}, {}}, decided), ElementsAre("a: 0 to 1"));
  EXPECT_THAT(decided, ElementsAre(Look::glance, Look::last));
  decided.clear();
  EXPECT_THAT(measured({{}}, decided), ElementsAre());
  EXPECT_THAT(decided, ElementsAre());
}

TEST(Confirm, LeavesAloneWhatALookLetGoWhateverALaterOneSays) {
  std::vector<Look> decided;
  EXPECT_THAT(measured({{"a", "b"}, {"b"}, {"a", "b"}}, decided), ElementsAre("a b: 0 to 1", "b: 1 to 2", "b: 2 to 6"));
}

/// Decides about a screen in which cycles, the quieter witness, are unchanged, and the ratio is `factor` times as
/// large.
Decisions screen_of_ratio(double factor) {
  std::vector<Session> stored;
  for (double const noise : {1.004, 0.996, 1.003, 0.997, 1.0}) {
    stored.push_back({.ratio = 2.0 * noise, .cycles = 1e6 * (1 + (noise - 1) / 10)});
  }
  World world;
  world.stored(kCase, stored).screened(kCase, {{.ratio = 2.0 * factor}});
  return world.decide();
}

TEST(Screen, IsFlaggedByARatioThatIsSlowerAndNotByOneThatIsFaster) {
  EXPECT_TRUE(screen_of_ratio(1.03).cases.front().wants_confirmation);
  CaseDecision const faster = screen_of_ratio(1 / 1.03).cases.front();
  EXPECT_FALSE(faster.wants_confirmation) << "a slow reference must not flag a case";
  EXPECT_EQ(faster.verdict, Verdict::pass);
}

}  // namespace
}  // namespace perfcheck::gate::testing
