// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measure/sampler.h"

#include "perfcheck/stats/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

namespace perfcheck::measure {
namespace {

/// Scripted readings; time advances by the length of each replay, plus a little for the host.
class ScriptedSource final : public RoundSource {
 public:
  std::function<double(double now_s)> case_ns = [](double) { return 1e6; };
  std::function<double(double now_s)> reference_ns = [](double) { return 2e6; };
  std::function<std::optional<double>(double now_s)> clock = [](double) { return std::optional(1500.0); };
  std::function<bool(double now_s)> disturbed = [](double) { return false; };
  std::string order;

  device::Reading replay_case() override {
    order += 'A';
    return pass(case_ns(now_));
  }
  device::Reading replay_reference() override {
    order += 'B';
    return pass(reference_ns(now_));
  }
  double now_s() override { return now_; }

 private:
  device::Reading pass(double time_ns) {
    auto const mhz = clock(now_);
    bool const noisy = disturbed(now_);
    now_ += (std::isfinite(time_ns) ? time_ns : 1e6) * 1e-9 + 20e-6;
    return {.time_ns = time_ns, .clock_mhz = mhz, .disturbed = noisy};
  }
  double now_ = 100;
};

TEST(Sampler, SteadyReadingsStopAtTheFirstLookAsPrecise) {
  ScriptedSource source;
  auto const result = sample(source, {});
  EXPECT_EQ(result.stop_reason, "precise");
  EXPECT_TRUE(result.steady);
  EXPECT_EQ(result.rounds.time_ns.size(), 12U);
  EXPECT_EQ(result.rounds.reference_time_ns.size(), 12U);
  EXPECT_EQ(result.rounds.clock_mhz.size(), 12U);
  EXPECT_DOUBLE_EQ(result.rounds.time_ns.front(), 1e6);
  EXPECT_DOUBLE_EQ(result.rounds.reference_time_ns.front(), 2e6);
}

TEST(Sampler, LongRoundsWarmUpInFewAndStopWhenTheirTimeIsUp) {
  ScriptedSource source;
  source.case_ns = source.reference_ns = [](double) { return 24e6; };
  auto const result = sample(source, {.min_rounds = 4, .max_seconds = 0.15});
  EXPECT_TRUE(result.steady);
  EXPECT_EQ(result.warm_up_replays, 4) << "the warm-up must take two windows of one round";
  EXPECT_EQ(result.rounds.time_ns.size(), 4U);
  EXPECT_EQ(result.stop_reason, "time limit");
}

TEST(Sampler, AWarmUpWindowEndsWithTheRoundThatFillsItsTime) {
  ScriptedSource source;
  source.case_ns = source.reference_ns = [](double) { return 6e6; };  // 12 ms a round, 20 fill a window
  EXPECT_EQ(sample(source, {}).warm_up_replays, 8) << "the warm-up must take two windows of two rounds";
}

TEST(Sampler, FewRoundsAreNotCalledPreciseEarly) {
  ScriptedSource source;
  auto const result = sample(source, {.min_rounds = 4});
  EXPECT_EQ(result.stop_reason, "precise");
  EXPECT_EQ(result.rounds.time_ns.size(), 8U);
}

TEST(Sampler, RoundsAlternateWhichSideGoesFirst) {
  ScriptedSource source;
  auto const result = sample(source, {});
  std::string const timed = source.order.substr(static_cast<std::size_t>(result.warm_up_replays));
  EXPECT_EQ(timed.substr(0, 8), "ABBAABBA");
}

TEST(Sampler, WarmUpEndsWhereRoundsScatterMoreThanWindowsMayDiffer) {
  ScriptedSource source;
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.03);
  source.case_ns = [&](double) { return 1e6 * (1 + noise(random)); };
  source.reference_ns = [&](double) { return 2e6 * (1 + noise(random)); };
  auto const result = sample(source, {});
  EXPECT_TRUE(result.steady);
  EXPECT_LT(result.warm_up_replays, 80) << "the warm-up must end before half of its time is up";
}

TEST(Sampler, RoundsOfASharedCoreAreRepeatedUntilItIsQuiet) {
  ScriptedSource source;
  // In every other tenth of a second, another thread disturbs the core and replays take 70 % longer.
  source.disturbed = [](double now) { return static_cast<int>(now * 10) % 2 == 0; };
  source.case_ns = [&source](double now) { return source.disturbed(now) ? 1.7e6 : 1e6; };
  auto const result = sample(source, {});
  EXPECT_EQ(result.disturbed_rounds, 0);
  for (double const time : result.rounds.time_ns) {
    EXPECT_DOUBLE_EQ(time, 1e6);
  }
}

TEST(Sampler, WhereNoQuietTimeComesTheRoundsCountAndAreCalledDisturbed) {
  ScriptedSource source;
  source.disturbed = [](double) { return true; };
  SamplerOptions options;
  auto const result = sample(source, options);
  EXPECT_EQ(result.rounds.time_ns.size(), 12U);
  EXPECT_EQ(result.disturbed_rounds, 12);
  double const thrown_away = static_cast<double>(source.order.size()) - result.warm_up_replays - 24;
  EXPECT_NEAR(thrown_away * 1.5e-3, options.max_disturbed_s, 0.01) << "replays of 1 and 2 ms";
}

TEST(Sampler, WarmUpWaitsUntilAFallingClockIsSteady) {
  ScriptedSource source;
  // The clock falls for the first 0.2 s and times grow accordingly, as on a card that reaches its power limit.
  source.clock = [](double now) { return std::optional(now < 100.2 ? 1980 - (now - 100) * 2000 : 1580.0); };
  source.case_ns = [&](double now) { return 1e6 * 1580 / *source.clock(now); };
  source.reference_ns = [&](double now) { return 2e6 * 1580 / *source.clock(now); };
  auto const result = sample(source, {});
  EXPECT_TRUE(result.steady);
  for (double const mhz : result.rounds.clock_mhz) {
    EXPECT_NEAR(mhz, 1580, 10);
  }
}

TEST(Sampler, WarmUpGivesUpOnAClockThatNeverSettlesAndSaysSo) {
  ScriptedSource source;
  int turn = 0;
  // The clock changes with every window of three rounds; each round reads it twice.
  source.clock = [&](double) { return std::optional(1000.0 + 100.0 * (turn++ / 6 % 2)); };
  SamplerOptions options;
  options.max_warm_up_s = 0.05;
  EXPECT_FALSE(sample(source, options).steady);
}

TEST(Sampler, NoisyReadingsAreMeasuredUntilTheTimeIsUpAndAllAreKept) {
  ScriptedSource source;
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1.0, 0.05);
  source.case_ns = [&](double) { return 1e6 * std::abs(noise(random)); };
  SamplerOptions options;
  options.precision = 1e-6;
  options.max_seconds = 0.2;
  auto const result = sample(source, options);
  EXPECT_EQ(result.stop_reason.substr(0, 10), "time limit");
  EXPECT_NEAR(static_cast<double>(result.rounds.time_ns.size()), 0.2 / 3.04e-3, 8);
}

TEST(Sampler, PrecisionDecidesHowManyRoundsAreMeasured) {
  auto const rounds_for = [](double precision) {
    ScriptedSource source;
    std::mt19937_64 random(11);
    std::normal_distribution<double> noise(1.0, 0.01);
    source.case_ns = [&](double) { return 1e6 * noise(random); };
    SamplerOptions options;
    options.precision = precision;
    options.max_seconds = 60;
    options.max_rounds = 5000;
    return sample(source, options).rounds.time_ns.size();
  };
  std::size_t const coarse = rounds_for(0.004);
  std::size_t const fine = rounds_for(0.0005);
  EXPECT_LT(coarse, 60U);
  // Eight times the precision takes about 64 times the rounds; ten times is certain.
  EXPECT_GT(fine, 10 * coarse);
}

TEST(Sampler, LongReplaysEndAfterAFewRoundsInsteadOfTheFewestAskedFor) {
  ScriptedSource source;
  source.case_ns = [](double) { return 1e9; };
  source.reference_ns = [](double) { return 1e9; };
  auto const result = sample(source, {});
  EXPECT_EQ(result.stop_reason, "time limit");
  EXPECT_EQ(result.rounds.time_ns.size(), 3U);
}

TEST(Sampler, TheRoundLimitEndsASampleThatStaysImprecise) {
  ScriptedSource source;
  int turn = 0;
  source.case_ns = [&](double) { return 1e6 * (1 + (turn++ * 37 % 11)); };
  SamplerOptions options;
  options.max_rounds = 40;
  options.max_seconds = 100;
  auto const result = sample(source, options);
  EXPECT_EQ(result.stop_reason, "round limit");
  EXPECT_EQ(result.rounds.time_ns.size(), 40U);
}

TEST(Sampler, ANaNReadingNeverCountsAsPrecise) {
  ScriptedSource source;
  source.case_ns = [](double) { return std::nan(""); };
  SamplerOptions options;
  options.max_rounds = 30;
  auto const result = sample(source, options);
  EXPECT_FALSE(result.steady);
  EXPECT_NE(result.stop_reason, "precise");
}

TEST(Sampler, ClocksThatAreMissingInSomeRoundsAreLeftOutAltogether) {
  ScriptedSource source;
  int turn = 0;
  source.clock = [&](double) { return turn++ % 5 == 0 ? std::nullopt : std::optional(1500.0); };
  auto const result = sample(source, {});
  EXPECT_TRUE(result.rounds.clock_mhz.empty());
  EXPECT_TRUE(result.rounds.reference_clock_mhz.empty());
  EXPECT_FALSE(result.rounds.time_ns.empty());
}

TEST(Sampler, AKnownSlowdownShowsInTheMedianRatio) {
  ScriptedSource source;
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1.0, 0.005);
  double drift = 1;
  source.case_ns = [&](double) { return 1.03e6 * (drift *= 1.0005) * noise(random); };
  source.reference_ns = [&](double) { return 1e6 * drift * noise(random); };
  auto const result = sample(source, {});
  std::vector<double> ratios;
  for (std::size_t i = 0; i < result.rounds.time_ns.size(); ++i) {
    ratios.push_back(result.rounds.time_ns[i] / result.rounds.reference_time_ns[i]);
  }
  EXPECT_NEAR(*stats::median(ratios), 1.03, 0.004);
}

}  // namespace
}  // namespace perfcheck::measure
