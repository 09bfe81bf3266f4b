// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Prediction limits were computed with scipy.stats.t.ppf and numpy.std(ddof=1).
#include "ask.h"

namespace perfcheck::peers::testing {
namespace {

constexpr auto kFive = "5 % (Conbench)";
constexpr auto kTen = "10 % (CodSpeed)";
constexpr auto kTwofold = "200 % (github-action-benchmark)";
constexpr auto kBencher = "Bencher";

class FixedThreshold : public ::testing::TestWithParam<Example> {};

TEST_P(FixedThreshold, ComparesMedians) {
  EXPECT_EQ(ask_times(GetParam().rule, GetParam().before, GetParam().now), GetParam().answer);
}

INSTANTIATE_TEST_SUITE_P(
    Peers, FixedThreshold,
    ::testing::Values(
        Example{"5 %", kFive, {100}, {105}, Answer::same}, Example{"5.001 %", kFive, {100}, {105.001}, Answer::slower},
        Example{"-5 %", kFive, {100}, {95}, Answer::same}, Example{"-5.001 %", kFive, {100}, {94.999}, Answer::faster},
        Example{"5.001 % the other way round is -4.76 %", kFive, {105.001}, {100}, Answer::same},
        Example{"medians, not means", kFive, {99, 100, 101}, {100, 101, 300}, Answer::same},
        Example{"10 %", kTen, {100}, {110}, Answer::same}, Example{"10.001 %", kTen, {100}, {110.001}, Answer::slower},
        Example{"-10 %", kTen, {100}, {90}, Answer::same}, Example{"-10.001 %", kTen, {100}, {89.999}, Answer::faster},
        Example{"200 %", kTwofold, {100}, {200}, Answer::same},
        Example{"200.1 %", kTwofold, {100}, {200.1}, Answer::slower},
        Example{"1 %", kTwofold, {100}, {1}, Answer::same},
        Example{"median of an even number of rounds", kTwofold, {1, 99, 101, 999}, {201}, Answer::slower}));

/// Sessions with these medians.
std::vector<Session> with_medians(Values const& medians) {
  std::vector<Session> history;
  for (double const median : medians) history.push_back({.time_ns = {median - 7, median, median + 9}});
  return history;
}

Answer bencher(Values const& medians, double now) {
  return rule(kBencher).judge(with_medians(medians), {.time_ns = {now / 2, now, now * 2}});
}

TEST(Bencher, HoldsTheMedianAgainstThePredictionLimit) {
  Values const five = {100, 101, 99, 100.5, 99.5};  // limit 103.24495162463373
  EXPECT_EQ(bencher(five, 103.2449), Answer::same);
  EXPECT_EQ(bencher(five, 103.2450), Answer::slower);
  EXPECT_EQ(bencher(five, 50), Answer::same);
  Values const two = {100, 101};  // limit 128.05737517749623
  EXPECT_EQ(bencher(two, 128.0573), Answer::same);
  EXPECT_EQ(bencher(two, 128.0574), Answer::slower);
}

TEST(Bencher, LooksAtTheLastSixtyFourSessions) {
  Values sixty_four;
  for (int i = 0; i < 64; ++i) sixty_four.push_back(i % 2 == 0 ? 99 : 101);  // limit 102.424600851187
  EXPECT_EQ(bencher(sixty_four, 102.42), Answer::same);
  EXPECT_EQ(bencher(sixty_four, 102.43), Answer::slower);
  Values wild_before = {500, 1};
  wild_before.insert(wild_before.end(), sixty_four.begin(), sixty_four.end());
  EXPECT_EQ(bencher(wild_before, 102.42), Answer::same);
  EXPECT_EQ(bencher(wild_before, 102.43), Answer::slower);
}

TEST(Bencher, NeedsTwoSessionsThatDiffer) {
  EXPECT_EQ(bencher({100}, 900), Answer::undecided);
  EXPECT_EQ(bencher({100, 100, 100}, 900), Answer::undecided);
  EXPECT_EQ(bencher({100, 100.001}, 900), Answer::slower);
}

TEST(Bencher, CannotUseAHistoryWithABadSessionAnywhere) {
  auto history = with_medians({100, 101, 99});
  history.front().time_ns[1] = -1;
  EXPECT_EQ(rule(kBencher).judge(history, {.time_ns = {900}}), Answer::undecided);
}

}  // namespace
}  // namespace perfcheck::peers::testing
