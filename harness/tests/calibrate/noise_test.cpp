// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/noise.h"

#include "made_up.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace perfcheck::calibrate::testing {
namespace {

/// Mean over the cases of one part of the time's noise.
double mean_of(std::map<std::string, CaseNoise> const& noise, std::optional<double> NoiseSplit::* part) {
  double sum = 0;
  for (auto const& [id, one] : noise) {
    sum += (one.time.*part).value_or(NAN) / static_cast<double>(noise.size());
  }
  return sum;
}

TEST(Noise, IsSplitIntoRoundsSessionsAndCards) {
  // Thirty cards of twenty sessions; the medians of nine rounds add little to the noise between sessions.
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<model::Run> runs;
  for (int card = 0; card < 30; ++card) {
    MadeUp const made_up{
        .cases = 6, .session_sd = 0.003, .round_sd = 0.001, .card_factor = std::exp(0.01 * normal(random))};
    runs.push_back(made_up_run(made_up, fmt::format("card{}", card), 20, static_cast<std::uint64_t>(card) + 1));
  }
  std::vector<model::Run const*> pointers;
  for (model::Run const& run : runs) {
    pointers.push_back(&run);
  }
  auto const noise = noise_of(pointers);
  EXPECT_EQ(noise.size(), 6U);
  EXPECT_NEAR(mean_of(noise, &NoiseSplit::rounds), 0.001, 0.0002);
  EXPECT_NEAR(mean_of(noise, &NoiseSplit::sessions), 0.003, 0.0003);
  EXPECT_NEAR(mean_of(noise, &NoiseSplit::cards), 0.01, 0.003);
}

TEST(Noise, CardsThatDifferNoMoreThanSessionsDoAddNothing) {
  MadeUp const made_up{.cases = 40, .session_sd = 0.003, .round_sd = 0.0001};
  model::Run const one = made_up_run(made_up, "a", 6, 1), two = made_up_run(made_up, "b", 6, 2);
  EXPECT_LT(mean_of(noise_of({&one, &two}), &NoiseSplit::cards), 0.00075)
      << "the means of the two cards differ by 0.001";
}

TEST(Noise, OneCardSaysNothingAboutCardsAndOneSessionNothingAboutSessions) {
  model::Run const several = made_up_run({}, "a", 4, 1), single = made_up_run({}, "a", 1, 2);
  EXPECT_FALSE(noise_of({&several}).begin()->second.time.cards);
  EXPECT_TRUE(noise_of({&several}).begin()->second.time.sessions);
  EXPECT_FALSE(noise_of({&single}).begin()->second.time.sessions);
  EXPECT_TRUE(noise_of({&single}).begin()->second.time.rounds);
}

TEST(Noise, SlowedSessionsAreLeftOut) {
  model::Run const quiet = made_up_run({}, "a", 4, 1);
  model::Run const slowed = made_up_run({}, "a", 4, 2, {{case_id_of(0), 5}});
  EXPECT_LT(*noise_of({&quiet, &slowed}).at(case_id_of(0)).time.sessions, 0.003);
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
