// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/summary.h"

#include "perfcheck/model/median.h"
#include "samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace perfcheck::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwo) {
  EXPECT_EQ(median(std::vector{3.0}), 3.0);
  EXPECT_EQ(median(std::vector{3.0, 1.0}), 2.0);
  EXPECT_EQ(median(std::vector{9.0, 1.0, 4.0}), 4.0);
  EXPECT_EQ(median(std::vector{9.0, 1.0, 4.0, 6.0}), 5.0);
}

TEST(Median, OfNothingOrNanIsNothing) {
  EXPECT_FALSE(median({}));
  EXPECT_FALSE(median(std::vector{1.0, kNan, 2.0}));
}

TEST(Median, OfHugeValuesDoesNotOverflow) {
  double const largest = std::numeric_limits<double>::max();
  EXPECT_EQ(median(std::vector{largest, largest}), largest);
}

TEST(MiddleMean, LeavesOutAQuarterOnEitherSide) {
  EXPECT_EQ(middle_mean(std::vector{3.0}), 3.0);
  EXPECT_EQ(middle_mean(std::vector{3.0, 1.0, 8.0}), 4.0) << "of fewer than four values, all count";
  EXPECT_EQ(middle_mean(std::vector{900.0, 2.0, -50.0, 4.0}), 3.0);
  EXPECT_EQ(middle_mean(std::vector{9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e9}), (3.0 + 4.0 + 5.0 + 6.0) / 4);
}

TEST(MiddleMean, OfNothingOrNanIsNothing) {
  EXPECT_FALSE(middle_mean({}));
  EXPECT_FALSE(middle_mean(std::vector{1.0, kNan, 2.0}));
}

TEST(LowerQuartile, HasAQuarterBelowIt) {
  EXPECT_EQ(lower_quartile(std::vector{3.0}), 3.0);
  EXPECT_EQ(lower_quartile(std::vector{8.0, 1.0, 3.0}), 1.0) << "of fewer than four values, the smallest counts";
  EXPECT_EQ(lower_quartile(std::vector{9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e9}), 3.0);
  EXPECT_FALSE(lower_quartile({}));
  EXPECT_FALSE(lower_quartile(std::vector{1.0, kNan, 2.0}));
}

TEST(Summary, TailTellsWhatSlowRoundsCost) {
  auto const tail = [](std::string const& reference, std::vector<double> const& time,
                       std::vector<double> const& reference_time, std::vector<double> const& clock) {
    return summarize(samples::measured_case("a@p", reference, time, reference_time, clock)).value().tail;
  };
  EXPECT_DOUBLE_EQ(tail("b@p", {100, 100, 100, 100}, {10, 10, 10, 10}, {}), 1);
  EXPECT_DOUBLE_EQ(tail("b@p", {100, 100, 100, 300}, {10, 10, 10, 10}, {}), 1.5);
  EXPECT_DOUBLE_EQ(tail("b@p", {100, 100, 100, 300}, {10, 10, 10, 30}, {}), 1) << "the reference was slow, too";
  EXPECT_DOUBLE_EQ(tail("", {100, 100, 100, 200}, {1, 1, 1, 1}, {1000, 1000, 1000, 500}), 1) << "the clock was low";
  EXPECT_DOUBLE_EQ(tail("", {100, 100, 100, 200}, {1, 1, 1, 1}, {}), 1.25);
}

TEST(Summary, RoundsAtTwoLevelsScatterAndHaveNoTail) {
  auto const tail = [](std::vector<double> const& time) {
    return summarize(samples::measured_case("a@p", "", time, std::vector<double>(time.size(), 1), {})).value().tail;
  };
  // The median is 92.5, the mean 2 % above it.
  EXPECT_DOUBLE_EQ(tail({90, 91, 92, 92, 93, 99, 100, 100}), 1);
  EXPECT_DOUBLE_EQ(tail({100, 99, 98, 98, 97, 91, 90, 90}), 1) << "fast rounds are not a negative tail";
  EXPECT_NEAR(tail({100, 101, 100, 101, 100, 101, 100, 300}), 1.25, 0.02)
      << "one slow round among rounds that scatter little is a tail";
  EXPECT_NEAR(tail({70, 70, 70, 100, 100, 130, 250, 300}), 1.3125, 1e-9) << "scatter explains only 5 % of the tail";
}

TEST(Summary, TakesMediansOverRounds) {
  CaseResult const result = samples::measured_case("a@p", "b@p", {100, 300, 200}, {10, 10, 40}, {1000, 2000, 1500});
  SessionSummary const summary = summarize(result).value();
  EXPECT_DOUBLE_EQ(summary.time_ns, 200);
  EXPECT_DOUBLE_EQ(summary.reference_time_ns, 10);
  // The median of the rounds' ratios 10, 30 and 5; not 200 / 10.
  EXPECT_DOUBLE_EQ(summary.ratio.value(), 10);
  // 100 ns at 1 GHz, 300 ns at 2 GHz, 200 ns at 1.5 GHz.
  EXPECT_DOUBLE_EQ(summary.cycles.value(), 300);
  EXPECT_DOUBLE_EQ(summary.clock_mhz.value(), 1500);
  EXPECT_DOUBLE_EQ(summary.noise.value(), 1.4826 * 100 / 200);
  EXPECT_EQ(summary.rounds, 3);
}

TEST(Summary, OfOneRoundDoesNotSayThatThereIsNoNoise) {
  EXPECT_FALSE(summarize(samples::measured_case("a@p", "", {100}, {101})).value().noise);
  EXPECT_EQ(summarize(samples::measured_case("a@p", "", {100, 100}, {101, 101})).value().noise, 0);
}

TEST(Summary, OfAControlHasNoRatioAndWithoutClocksNoCycles) {
  SessionSummary const summary = summarize(samples::measured_case("a@p", "", {100, 102}, {101, 103})).value();
  EXPECT_FALSE(summary.ratio);
  EXPECT_FALSE(summary.cycles);
  EXPECT_FALSE(summary.clock_mhz);
  EXPECT_DOUBLE_EQ(summary.reference_time_ns, 102);
}

TEST(Summary, OfAnImportedCaseDoesWithoutAReference) {
  CaseResult imported = samples::measured_case("a@p", "", {100, 102}, {});
  SessionSummary const summary = summarize(imported).value();
  EXPECT_DOUBLE_EQ(summary.time_ns, 101);
  EXPECT_EQ(summary.reference_time_ns, 0);
  EXPECT_FALSE(summary.ratio);
  imported.rounds->reference_time_ns = {100};
  std::string why;
  EXPECT_FALSE(summarize(imported, &why));
  EXPECT_EQ(why, "reference_time_ns has 1 values but time_ns has 2");
}

struct Defect {
  char const* name;
  std::function<void(CaseResult&)> spoil;
  char const* why;
};

TEST(Summary, RefusesNumbersThatCannotBeUsed) {
  std::vector<Defect> const defects = {
      {"status", [](CaseResult& r) { r.status = CaseStatus::crashed; }, "crashed"},
      {"no rounds", [](CaseResult& r) { r.rounds.reset(); }, "no rounds"},
      {"empty", [](CaseResult& r) { r.rounds->time_ns.clear(); }, "no rounds"},
      {"NaN", [](CaseResult& r) { r.rounds->time_ns[1] = kNan; }, "time_ns[1]"},
      {"infinite", [](CaseResult& r) { r.rounds->time_ns[0] = kInfinity; }, "time_ns[0]"},
      {"zero", [](CaseResult& r) { r.rounds->reference_time_ns[0] = 0; }, "reference_time_ns[0]"},
      {"negative", [](CaseResult& r) { r.rounds->time_ns[0] = -1; }, "time_ns[0]"},
      {"short reference", [](CaseResult& r) { r.rounds->reference_time_ns.pop_back(); }, "reference_time_ns has 1"},
      {"no reference", [](CaseResult& r) { r.rounds->reference_time_ns.clear(); }, "reference_time_ns has 0"},
      {"short clock", [](CaseResult& r) { r.rounds->clock_mhz.pop_back(); }, "clock_mhz has 1"},
      {"NaN clock", [](CaseResult& r) { r.rounds->clock_mhz[0] = kNan; }, "clock_mhz[0]"},
      {"denormal", [](CaseResult& r) { r.rounds->reference_time_ns[0] = 1e-310; }, "time over reference_time_ns"},
      {"zero reference clock", [](CaseResult& r) { r.rounds->reference_clock_mhz = {1, 0}; }, "reference_clock_mhz[1]"},
  };
  for (Defect const& defect : defects) {
    CaseResult result = samples::measured_case("a@p", "b@p", {100, 101}, {10, 11}, {1000, 1001});
    ASSERT_TRUE(summarize(result));
    defect.spoil(result);
    std::string why;
    EXPECT_FALSE(summarize(result, &why)) << defect.name;
    EXPECT_NE(why.find(defect.why), std::string::npos) << defect.name << ": " << why;
    EXPECT_FALSE(summarize(result)) << defect.name;
  }
}

}  // namespace
}  // namespace perfcheck::model
