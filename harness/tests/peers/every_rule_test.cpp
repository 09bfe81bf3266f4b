// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for every rule of the table.
#include "ask.h"

#include <cctype>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace perfcheck::peers::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rounds around `centre`, with a scatter of 0.3 % and a clock that does not move.
Session session(std::mt19937_64& random, double centre, int rounds = 12) {
  std::normal_distribution<double> noise(0, 0.003);
  Session result;
  for (int i = 0; i < rounds; ++i) {
    result.time_ns.push_back(centre * std::exp(noise(random)));
    result.clock_mhz.push_back(1500);
  }
  return result;
}

std::vector<Session> sessions(std::mt19937_64& random, double centre, int count = 6) {
  std::vector<Session> result;
  for (int i = 0; i < count; ++i) result.push_back(session(random, centre));
  return result;
}

class EveryRule : public ::testing::TestWithParam<Rule> {};

/// The name without the characters that GoogleTest does not allow.
std::string test_name(::testing::TestParamInfo<Rule> const& info) {
  std::string name;
  for (char const c : info.param.name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Peers, EveryRule, ::testing::ValuesIn(rules()), test_name);

TEST_P(EveryRule, SaysWhatItIsAndWhereItIsFrom) {
  Rule const& rule = GetParam();
  EXPECT_FALSE(rule.name.empty());
  EXPECT_TRUE(rule.description.ends_with('.')) << rule.description;
  EXPECT_FALSE(rule.source.empty());
  EXPECT_GE(rule.year, 2020);
  ASSERT_NE(rule.judge, nullptr);
}

TEST_P(EveryRule, SeesAThreefoldTime) {
  std::mt19937_64 random(1);
  EXPECT_EQ(GetParam().judge(sessions(random, 1e5), session(random, 3e5)), Answer::slower);
}

TEST_P(EveryRule, SeesAThirdOfTheTimeIfItLooksForIt) {
  std::mt19937_64 random(2);
  EXPECT_EQ(GetParam().judge(sessions(random, 3e5), session(random, 1e5)),
            GetParam().says_faster ? Answer::faster : Answer::same);
}

TEST_P(EveryRule, CallsTheSameNumbersNoChange) {
  std::mt19937_64 random(3);
  auto const history = sessions(random, 1e5);
  EXPECT_EQ(GetParam().judge(history, history.back()), Answer::same);
}

TEST_P(EveryRule, DoesNotCareForTheUnit) {
  std::mt19937_64 random(4);
  for (double const change : {0.9, 0.97, 1.0, 1.006, 1.03, 1.2, 2.5}) {
    auto history = sessions(random, 1e5);
    Session now = session(random, 1e5 * change);
    Answer const answer = GetParam().judge(history, now);
    for (Session& stored : history) stored.time_ns = times(stored.time_ns, 1024);
    now.time_ns = times(now.time_ns, 1024);
    EXPECT_EQ(GetParam().judge(history, now), answer) << change;
  }
}

TEST_P(EveryRule, AnswersTheSameWhenAskedAgain) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20; ++i) {
    auto const history = sessions(random, 1e5);
    Session const now = session(random, 1.012e5);
    EXPECT_EQ(GetParam().judge(history, now), GetParam().judge(history, now));
  }
}

TEST_P(EveryRule, CannotDecideWithoutABaseline) {
  std::mt19937_64 random(6);
  EXPECT_EQ(GetParam().judge({}, session(random, 1e5)), Answer::undecided);
}

TEST_P(EveryRule, CannotDecideOnOneRoundUnlessItComparesSingleNumbers) {
  std::mt19937_64 random(7);
  std::vector<Session> history;
  for (double const centre : {1e5, 1.01e5, 0.99e5}) history.push_back(session(random, centre, 1));
  Answer const answer = GetParam().judge(history, session(random, 3e5, 1));
  static std::set<std::string_view> const single_numbers = {"Bencher", "5 % (Conbench)", "10 % (CodSpeed)",
                                                            "200 % (github-action-benchmark)"};
  // A minimum and a third quartile exist even for one value, and nvbench needs no more.
  bool const decides = single_numbers.contains(GetParam().name) || GetParam().name.starts_with("nvbench robust");
  EXPECT_EQ(answer, decides ? Answer::slower : Answer::undecided);
}

TEST_P(EveryRule, CannotDecideOnBadNumbers) {
  std::mt19937_64 random(8);
  auto const history = sessions(random, 1e5);
  for (double const bad : {kNan, kInfinity, -kInfinity, 0.0, -1e5}) {
    Session now = session(random, 3e5);
    now.time_ns[5] = bad;
    EXPECT_EQ(GetParam().judge(history, now), Answer::undecided) << bad;
    auto bad_history = history;
    bad_history.back().time_ns[3] = bad;
    EXPECT_EQ(GetParam().judge(bad_history, session(random, 3e5)), Answer::undecided) << bad;
  }
  EXPECT_EQ(GetParam().judge(history, Session{}), Answer::undecided);
  EXPECT_EQ(GetParam().judge(std::vector{Session{}}, session(random, 3e5)), Answer::undecided);
}

TEST_P(EveryRule, ComparesWithTheMostRecentSessionOrWithAll) {
  std::mt19937_64 random(9);
  auto history = sessions(random, 1e5);
  for (std::size_t i = 0; i + 1 < history.size(); ++i) history[i] = session(random, 2.9e5);
  Answer const answer = GetParam().judge(history, session(random, 3e5));
  // Five values of 2.9e5 and one of 1e5 leave a prediction limit far above 3e5.
  EXPECT_EQ(answer, GetParam().name == "Bencher" ? Answer::same : Answer::slower);
}

TEST(Rules, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (Rule const& rule : rules()) EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
}

/// Rules that treat both sessions alike. The others compare the change with a share of the old value, or look in one
/// direction only.
class EverySymmetricRule : public ::testing::TestWithParam<char const*> {};

INSTANTIATE_TEST_SUITE_P(Peers, EverySymmetricRule,
                         ::testing::Values("google/benchmark", "nvbench robust", "nvbench robust, strict",
                                           "nvbench robust, permissive", "asv", "oneDNN CI"));

TEST_P(EverySymmetricRule, SwapsSlowerAndFasterWhenOldAndNewAreSwapped) {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> change(0.85, 1.18);
  std::set<Answer> seen;
  for (int i = 0; i < 400; ++i) {
    Session const a = session(random, 1e5, 6 + i % 20);
    Session const b = session(random, 1e5 * change(random), 8 + i % 7);
    Answer const answer = ask(GetParam(), a, b);
    Answer const mirrored = answer == Answer::slower   ? Answer::faster
                            : answer == Answer::faster ? Answer::slower
                                                       : answer;
    EXPECT_EQ(ask(GetParam(), b, a), mirrored);
    seen.insert(answer);
  }
  EXPECT_TRUE(seen.contains(Answer::slower) && seen.contains(Answer::faster));
}

}  // namespace
}  // namespace perfcheck::peers::testing
