// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs whose cases were measured on several cards.
#include "perfcheck/model/shard.h"
#include "world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kKernels = 4, kProblems = 10, kConfirmed = 6;

std::string id_of(int kernel, int problem) { return fmt::format("gemm/k{}@p{}", kernel, problem); }

model::CaseResult measured(std::string const& id, double factor, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.001);
  model::CaseResult result;
  result.id = id;
  result.reference = "gemm/library@" + model::split_case_id(id).problem;
  result.status = model::CaseStatus::measured;
  model::Rounds rounds{.launches = 1, .reference_launches = 1};
  double const session = factor * std::exp(noise(random));
  for (int i = 0; i < 5; ++i) {
    rounds.time_ns.push_back(1e5 * session);
    rounds.reference_time_ns.push_back(5e4);
    rounds.clock_mhz.push_back(1700);
    rounds.reference_clock_mhz.push_back(1700);
  }
  result.rounds = rounds;
  return result;
}

/// Screen and confirmation of all cases by one process; kernel 0 is 3 % slower than in the baseline.
model::Run whole_run(std::mt19937_64& random) {
  model::Run run;
  run.id = "20261121T081500Z-0001";
  for (int i = 0; i <= kConfirmed; ++i) {
    model::Session& session = run.sessions.emplace_back();
    session.id = fmt::format("s{}", i + 1);
    session.purpose = i == 0 ? model::SessionPurpose::screen : model::SessionPurpose::confirm;
    session.device.slug = "card";
    session.device.uuid = kCard;
    for (int kernel = 0; kernel < kKernels; ++kernel) {
      for (int problem = 0; problem < kProblems; ++problem) {
        session.cases.push_back(measured(id_of(kernel, problem), kernel == 0 ? 1.03 : 1, random));
      }
    }
  }
  return run;
}

model::Run part_of(model::Run run, int index, int count) {
  run.shard = model::Shard{.index = index, .count = count, .fan_out = ""};
  run.id = fmt::format("20261121T08150{}Z-0001", index);
  for (model::Session& session : run.sessions) {
    std::erase_if(session.cases,
                  [&](model::CaseResult const& result) { return !model::measures(run.shard, result.id); });
  }
  return run;
}

model::Baseline baseline_of(std::mt19937_64& random) {
  World world;
  std::normal_distribution<double> noise(0, 0.001);
  for (int kernel = 0; kernel < kKernels; ++kernel) {
    for (int problem = 0; problem < kProblems; ++problem) {
      std::vector<double> factors(8);
      for (double& factor : factors) {
        factor = std::exp(noise(random));
      }
      std::string const id = id_of(kernel, problem);
      world.stored(id, sessions(factors, {.ratio = 2, .cycles = 1e5 * 1.7, .time_ns = 1e5}));
      world.baseline.cases[id].reference = "gemm/library@" + model::split_case_id(id).problem;
      world.baseline.cases[id].launches.clear();
    }
  }
  return world.baseline;
}

std::string text_of(Decisions const& decisions) {
  std::string text = fmt::format("exit {}\n", static_cast<int>(decisions.exit_code));
  for (auto const* list : {&decisions.cases, &decisions.kernels}) {
    for (CaseDecision const& one : *list) {
      text += fmt::format("{} {} {} {} {}\n", one.id, model::to_text(one.verdict), one.reason_code, one.reason,
                          one.detectable.value_or(0));
    }
  }
  return text;
}

TEST(FanOut, ShardsMergedDecideAsOneRunDoes) {
  std::mt19937_64 random(7);
  model::Baseline const baseline = baseline_of(random);
  for (int repetition = 0; repetition < 5; ++repetition) {
    model::Run const whole = whole_run(random);
    Decisions const expected = decide(&baseline, observations_of(whole), {}, {});
    EXPECT_EQ(expected.exit_code, model::ExitCode::regressed);
    EXPECT_THAT(expected.kernels, SizeIs(kKernels));
    for (int const count : {2, 3, 8}) {
      std::vector<model::Run> shards;
      for (int index = 1; index <= count; ++index) {
        shards.push_back(part_of(whole, index, count));
      }
      model::Run const merged = model::merge(std::move(shards)).run;
      EXPECT_EQ(text_of(decide(&baseline, observations_of(merged), {}, {})), text_of(expected)) << count;
    }
  }
}

/// Two cards whose baselines are 2 % apart; nothing has changed on either.
World two_cards() {
  World world;
  world.cards = {"GPU-a", "GPU-a", "GPU-a", "GPU-b"};
  std::vector<double> const levels{1.0, 1.001, 0.999, 1.02, 1.021, 1.019};
  world.stored("k@on_a", sessions(levels)).stored("k@on_b", sessions(levels));
  world.screened("k@on_a", sessions({1.0})).screened("k@on_b", sessions({1.02}));
  world.on("k@on_b", "GPU-b");
  return world;
}

TEST(FanOut, ComparesEveryCaseWithItsOwnCard) {
  World const world = two_cards();
  Decisions const decisions = world.decide();
  EXPECT_EQ(world.decide("k@on_a").verdict, Verdict::pass);
  EXPECT_EQ(world.decide("k@on_b").verdict, Verdict::pass) << world.decide("k@on_b").reason;
  EXPECT_THAT(decisions.notes, IsEmpty());
}

TEST(FanOut, ACardThatTheBaselineDoesNotKnowIsNoted) {
  World world = two_cards();
  world.on("k@on_b", "GPU-c");
  EXPECT_THAT(world.decide().notes, ::testing::ElementsAre(HasSubstr("does not know this card (GPU-c)")));
}

TEST(FanOut, AMachineThatMovedTakesOnlyItsOwnCasesOut) {
  World world;
  world.cards = {"GPU-a", "GPU-a", "GPU-a", "GPU-b"};
  std::vector<double> const levels{1.0, 1.001, 0.999, 1.0, 1.001, 0.999};
  Session const control{.ratio = 0};
  for (int i = 0; i < 20; ++i) {
    for (char const* card : {"GPU-a", "GPU-b"}) {
      std::string const id = fmt::format("library{}@{}", i, card);
      double const now = card == std::string("GPU-b") ? 1.2 : 1.0;  // all of GPU-b's controls are slower
      world.stored(id, sessions(levels, control)).screened(id, sessions({now}, control)).of_library(id).on(id, card);
    }
  }
  for (char const* card : {"GPU-a", "GPU-b"}) {
    std::string const id = fmt::format("own@{}", card);
    world.stored(id, sessions(levels)).screened(id, sessions({1.2})).confirmed(id, sessions({1.2, 1.2, 1.2, 1.2}));
    world.on(id, card);
  }
  EXPECT_EQ(world.decide("own@GPU-a").verdict, Verdict::regressed) << world.decide("own@GPU-a").reason;
  EXPECT_EQ(world.decide("own@GPU-b").verdict, Verdict::incomparable) << world.decide("own@GPU-b").reason;
}

}  // namespace
}  // namespace perfcheck::gate::testing
