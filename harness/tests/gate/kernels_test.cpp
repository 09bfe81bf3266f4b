// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// All cases of a kernel together.
#include "world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace perfcheck::gate::testing {
namespace {

using model::ExitCode;
using model::Verdict;
using ::testing::HasSubstr;

constexpr int kCases = 15;

std::string case_of(std::string const& kernel, int i) { return fmt::format("{}@p{}", kernel, i); }

/// Fifteen cases of kernel "k", each `change` times as slow as stored and scattering by 0.15 % between sessions, and
/// two unchanged kernels of three cases each.
World world_of(double change, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.0015);
  auto const draw = [&](int count, double factor) {
    std::vector<double> factors;
    for (int i = 0; i < count; ++i) {
      factors.push_back(factor * std::exp(noise(random)));
    }
    return sessions(factors);
  };
  World world;
  for (auto const& [kernel, cases, factor] :
       {std::tuple{"k", kCases, change}, std::tuple{"l", 3, 1.0}, std::tuple{"m", 3, 1.0}}) {
    for (int i = 0; i < cases; ++i) {
      std::string const id = case_of(kernel, i);
      world.stored(id, draw(8, 1)).screened(id, draw(1, factor)).confirmed(id, draw(4, factor));
    }
  }
  return world;
}

TEST(Kernels, WhatNoCaseShowsAllCasesTogetherShow) {
  World const world = world_of(1.007);
  for (int i = 0; i < kCases; ++i) {
    EXPECT_NE(world.decide(case_of("k", i)).verdict, Verdict::regressed);
  }
  CaseDecision const kernel = world.decide("k");
  EXPECT_EQ(kernel.verdict, Verdict::regressed) << kernel.reason;
  EXPECT_NEAR(kernel.margin, std::sqrt(1.01) - 1, 1e-12);  // half of the case margin, as a logarithm
  EXPECT_THAT(kernel.reason, HasSubstr("its 15 cases together"));
  EXPECT_EQ(world.decide().exit_code, ExitCode::regressed);
  EXPECT_EQ(world.decide("l").verdict, Verdict::pass);
}

TEST(Kernels, ThatAreAsTheyWerePass) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_EQ(world_of(1.0, seed).decide("k").verdict, Verdict::pass) << "seed " << seed;
  }
}

TEST(Kernels, AreJudgedByTheOthersWhereOneCaseLostItsClockAndAnotherItsReference) {
  World world = world_of(1.007);
  for (std::size_t session = 0; session < 5; ++session) {
    world.result(case_of("k", 3), session).rounds->clock_mhz.clear();
    world.result(case_of("k", 3), session).rounds->reference_clock_mhz.clear();
    world.result(case_of("k", 7), session).reference = "other@p";
  }
  CaseDecision const kernel = world.decide("k");
  EXPECT_EQ(kernel.verdict, Verdict::regressed) << kernel.reason;
  EXPECT_THAT(kernel.reason, HasSubstr("its 13 cases together"));
}

TEST(Kernels, AreMeasuredAgainByMeasuringTheirCases) {
  World world;
  for (int i = 0; i < kCases; ++i) {
    world.stored(case_of("k", i), sessions({1, 1.0001, 0.9999, 1.0002, 0.9998}));
    world.screened(case_of("k", i), sessions({1.007}));
  }
  EXPECT_EQ(world.decide("k").reason_code, "needs_confirmation");
  for (CaseDecision const& decision : world.decide().cases) {
    EXPECT_EQ(decision.reason_code, "not_flagged");
    EXPECT_TRUE(decision.wants_confirmation) << decision.id;
  }
  EXPECT_EQ(world.decide().exit_code, ExitCode::undecided);
}

TEST(Kernels, TheMarginFollowsThoseOfTheCases) {
  World world = world_of(1.007);
  world.policy.margins = {{"k", 0.03}};
  EXPECT_NEAR(world.decide("k").margin, std::sqrt(1.03) - 1, 1e-12);
  EXPECT_EQ(world.decide("k").verdict, Verdict::pass);
}

TEST(Kernels, OfFewCasesHaveNoVerdictOfTheirOwn) {
  World world;
  for (int i = 0; i < 2; ++i) {
    world.stored(case_of("k", i), sessions(quiet())).screened(case_of("k", i), sessions({1.0}));
  }
  EXPECT_TRUE(world.decide().kernels.empty());
}

TEST(Kernels, OnASharedDeviceHaveNoVerdictOfTheirOwn) {
  World world = world_of(1.007);
  world.policy.shared_device = true;
  EXPECT_TRUE(world.decide().kernels.empty());
}

TEST(Kernels, CasesOfEqualCodeAreAmongThem) {
  World world = world_of(1.007);
  for (int i = 0; i < kCases; ++i) {
    std::string const id = case_of("k", i);
    world.result(id).launches.front().machine_code = "same";
    world.baseline.cases[id].machine_code = model::machine_code_of(world.result(id));
  }
  EXPECT_THAT(world.decide("k").reason, HasSubstr("its 15 cases together"));
}

TEST(Kernels, CasesRecordedInOtherSessionsThanMostAreLeftOut) {
  World world = world_of(1.007);
  model::BaselineCase& odd = world.baseline.cases[case_of("k", 0)];
  odd.session.pop_back();
  odd.time_ns.pop_back();
  odd.ratio.pop_back();
  odd.cycles.pop_back();
  EXPECT_THAT(world.decide("k").reason, HasSubstr("its 14 cases together"));
}

TEST(Kernels, SessionsStayTheReplicates) {
  // All cases of a session are off by the same 0.5 %, up or down by session: fifteen cases agree perfectly, but only
  // eight sessions say by how much a session may be off.
  World world;
  std::vector<double> const stored = {1.005, 0.995, 1.005, 0.995, 1.005, 0.995, 1.005, 0.995};
  for (int i = 0; i < kCases; ++i) {
    std::string const id = case_of("k", i);
    world.stored(id, sessions(stored)).screened(id, sessions({1.01})).confirmed(id, sessions({1.01, 1.0, 1.01, 1.0}));
  }
  CaseDecision const kernel = world.decide("k");
  EXPECT_NEAR(kernel.ratio->sd, 0.0053, 0.0003);
  EXPECT_NE(kernel.verdict, Verdict::regressed) << kernel.reason;
}

}  // namespace
}  // namespace perfcheck::gate::testing
