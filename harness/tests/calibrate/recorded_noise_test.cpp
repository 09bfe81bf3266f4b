// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "recorded_noise.h"

#include "made_up.h"
#include "perfcheck/stats/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace perfcheck::calibrate::testing {
namespace {

/// 20 sessions; in every other one all cases take longer by `common` (a logarithm), in the rest shorter by as much.
model::Run with_common(MadeUp const& made_up, double common, std::uint64_t seed = 1) {
  model::Run run = made_up_run(made_up, "a", 20, seed);
  for (std::size_t s = 0; s < run.sessions.size(); ++s) {
    for (model::CaseResult& result : run.sessions[s].cases) {
      for (double& time : result.rounds->time_ns) time *= std::exp(s % 2 == 0 ? common : -common);
    }
  }
  return run;
}

/// Logarithms of a case's times in `draws` draws of ten sessions each, one after the other.
std::vector<double> times(RecordedNoise const& noise, std::string const& id, int draws = 200) {
  std::mt19937_64 engine(7);
  std::vector<double> logs;
  for (int i = 0; i < draws; ++i) {
    RecordedNoise::Drawn const drawn = noise.draw(10, engine);
    for (model::SessionSummary const& one : noise.summaries(id, drawn, engine)) logs.push_back(std::log(one.time_ns));
  }
  return logs;
}

TEST(RecordedNoise, DrawsNoRecordedSessionTwice) {
  model::Run const run = made_up_run({}, "a", 12, 1);
  RecordedNoise const noise({&run});
  ASSERT_EQ(noise.sessions(), 12U);
  std::mt19937_64 engine(1);
  for (int i = 0; i < 50; ++i) {
    RecordedNoise::Drawn const drawn = noise.draw(12, engine);
    for (auto const* part : {&drawn.common, &drawn.rest}) {
      EXPECT_EQ(std::set<std::size_t>(part->begin(), part->end()).size(), 12U);
    }
  }
}

TEST(RecordedNoise, DrawnSessionsScatterAsTheRecordedOnesDo) {
  MadeUp const made_up{.cases = 30, .session_sd = 0.002, .round_sd = 0.0001};
  model::Run const run = with_common(made_up, 0.005);
  RecordedNoise const noise({&run});
  for (int const i : {0, 1, 17}) {
    std::vector<double> recorded;
    for (model::Session const& session : run.sessions) {
      recorded.push_back(std::log(model::summarize(session.cases[static_cast<std::size_t>(i)])->time_ns));
    }
    std::vector<double> const drawn = times(noise, case_id_of(i));
    EXPECT_NEAR(*stats::mean(drawn), *stats::mean(recorded), 0.0002);
    EXPECT_NEAR(*stats::sample_sd(drawn) / *stats::sample_sd(recorded), 1, 0.15);
  }
}

TEST(RecordedNoise, WhatASessionDoesToAllCasesItStillDoesToAll) {
  MadeUp const made_up{.cases = 30, .session_sd = 0.0005, .round_sd = 0.0001};
  model::Run const run = with_common(made_up, 0.01);
  RecordedNoise const noise({&run});
  std::mt19937_64 engine(3);
  RecordedNoise::Drawn const drawn = noise.draw(10, engine);
  auto const one = noise.summaries(case_id_of(0), drawn, engine), other = noise.summaries(case_id_of(7), drawn, engine);
  for (std::size_t i = 0; i < 10; ++i) {
    // The common part is 20 times the rest, so cases of one session agree about it.
    double const first = std::log(one[i].time_ns / one[0].time_ns),
                 second = std::log(other[i].time_ns / other[0].time_ns);
    EXPECT_NEAR(first, second, 0.006) << i;
  }
}

TEST(RecordedNoise, PartsAreOfDifferentSessions) {
  model::Run const run = with_common({.cases = 6}, 0.01);
  RecordedNoise const noise({&run});
  std::vector<double> const drawn = times(noise, case_id_of(1));
  EXPECT_GT(std::set<double>(drawn.begin(), drawn.end()).size(), 200U)
      << "the draws must not only repeat the 20 recorded sessions";
}

TEST(RecordedNoise, SlowedSessionsGiveNothing) {
  model::Run run = made_up_run({.cases = 6}, "a", 10, 1);
  model::Run const slow = made_up_run({.cases = 6}, "a", 10, 2, {{case_id_of(1), 50}});
  RecordedNoise const noise({&run, &slow});
  ASSERT_EQ(noise.sessions(), 20U);
  for (double const time : times(noise, case_id_of(1))) {
    EXPECT_NEAR(time, std::log(1e5), 0.01);
  }
  EXPECT_FALSE(noise.knows("kernel@nowhere"));
}

TEST(RecordedNoise, WhatSlowRoundsCostIsDrawnToo) {
  model::Run run = made_up_run({}, "a", 20, 1);
  for (std::size_t s = 0; s < 5; ++s) {
    for (std::size_t const round : {0U, 1U}) run.sessions[s].cases[3].rounds->time_ns[round] *= 2;
  }
  RecordedNoise const noise({&run});
  std::mt19937_64 engine(5);
  int slow = 0;
  for (model::SessionSummary const& one : noise.summaries(case_id_of(3), noise.draw(20, engine), engine)) {
    slow += one.tail > 1.2 ? 1 : 0;  // two of nine rounds take twice as long
  }
  EXPECT_EQ(slow, 5);
}

TEST(RecordedNoise, WitnessesOfACaseStayTogether) {
  MadeUp const made_up{.cases = 30, .session_sd = 0.002, .round_sd = 0.0001};
  model::Run run = made_up_run(made_up, "a", 20, 1);
  for (model::Session& session : run.sessions) {
    // Now ratio and time of this case vary by the same factor from session to session.
    for (double& time : session.cases[4].rounds->reference_time_ns) time = 5e4;
  }
  RecordedNoise const noise({&run});
  std::mt19937_64 engine(5);
  RecordedNoise::Drawn const drawn = noise.draw(20, engine);
  for (model::SessionSummary const& one : noise.summaries(case_id_of(4), drawn, engine)) {
    EXPECT_NEAR(one.time_ns / one.ratio.value() / 5e4, 1, 0.003)
        << "time and ratio differ by more than what all cases of a session share";
  }
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
