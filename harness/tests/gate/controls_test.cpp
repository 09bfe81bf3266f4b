// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases that should not have changed: those of libraries, and those with equal machine code.
#include "world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

std::string const kCase = "k@p";

/// A library's case, its own reference, `factor` times as slow in fresh sessions as stored.
World library_case(double factor) {
  Session const control{.ratio = 0};
  World world;
  world.stored(kCase, sessions(quiet(), control)).screened(kCase, slower(sessions({1.0}, control), factor));
  world.confirmed(kCase, slower(sessions(quiet_fresh(), control), factor)).of_library(kCase);
  return world;
}

TEST(Controls, ALibraryKernelOfUnchangedVersionIsTestedToo) {
  World world = library_case(1.12);
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::regressed) << decision.reason;
  EXPECT_THAT(decision.reason, HasSubstr("its library's version and launches are unchanged"));
  world.measured_on.libraries[kLibrary] = "14.0";
  EXPECT_THAT(world.decide(kCase).reason, Not(HasSubstr("unchanged")));
}

TEST(Controls, CyclesThatRoseAloneAreNoRegressionOfOneWithoutReference) {
  World world = library_case(1.0);
  Session const now{.ratio = 0, .cycles = 1.05e6};
  World moved;
  moved.stored(kCase, sessions(quiet(), {.ratio = 0})).screened(kCase, sessions({1.0}, now));
  moved.confirmed(kCase, sessions(quiet_fresh(), now));
  EXPECT_EQ(moved.decide(kCase).verdict, Verdict::inconclusive) << moved.decide(kCase).reason;
  EXPECT_EQ(moved.decide(kCase).reason_code, "witnesses_disagree");
}

TEST(Controls, OnASharedDeviceNothingTellsASlowerLibraryFromANeighbour) {
  World world = library_case(1.5);
  world.result(kCase).launches.clear();
  world.baseline.cases[kCase].launches.clear();
  world.policy.shared_device = true;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive);
  EXPECT_EQ(world.decide(kCase).reason_code, "machine_disturbed");
  world.result(kCase).injected_percent = 50;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(Controls, OnASharedDeviceOtherReferencesTellOfNeighboursWhereACaseHasNone) {
  World world;
  Session const alone{.ratio = 0};
  world.stored(kCase, sessions(quiet(), alone)).screened(kCase, slower(sessions({1.0}, alone), 1.75));
  world.confirmed(kCase, slower(sessions(quiet_fresh(), alone), 1.75));
  world.policy.shared_device = true;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << "no reference contradicts";
  Session const disturbed{.ratio = 2.0, .cycles = 1.4e6, .time_ns = 7e5};
  world.stored("other@p", sessions(quiet())).screened("other@p", sessions({1.0}, disturbed));
  world.confirmed("other@p", sessions(quiet_fresh(), disturbed));
  EXPECT_EQ(world.decide(kCase).reason_code, "machine_disturbed") << world.decide(kCase).reason;
}

/// A case `factor` times as slow as stored, with its machine code then and now; "" means unknown.
World of_known_code(std::string const& stored, std::string const& now, double factor = 1.03) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, slower(sessions({1.0}), factor));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), factor));
  for (std::size_t i = 0; i < 5; ++i) {
    world.result(kCase, i).launches.front().machine_code = stored;
  }
  world.baseline.cases[kCase].machine_code = model::machine_code_of(world.result(kCase));
  for (std::size_t i = 0; i < 5; ++i) {
    world.result(kCase, i).launches.front().machine_code = now;
  }
  return world;
}

TEST(Controls, EqualMachineCodeIsTestedToo) {
  CaseDecision const decision = of_known_code("abc", "abc").decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::regressed) << decision.reason;
  EXPECT_THAT(decision.reason, HasSubstr("machine code and launches are those of the baseline"));
  EXPECT_THAT(of_known_code("abc", "abd").decide(kCase).reason, Not(HasSubstr("those of the baseline")));
  EXPECT_THAT(of_known_code("", "").decide(kCase).reason, Not(HasSubstr("those of the baseline")))
      << "unreadable code is not equal";
}

TEST(Controls, OtherWorkOfTheSameMachineCodeIsNoEqualCode) {
  World world = of_known_code("abc", "abc");
  for (auto const& [work, equal] : {std::pair{"1:other", false}, std::pair{"0:other", true}, std::pair{"", true}}) {
    world.baseline.cases[kCase].work = work;
    bool const said = world.decide(kCase).reason.find("those of the baseline") != std::string::npos;
    EXPECT_EQ(said, equal) << "\"" << work << "\": hashes of another meaning, and unknown ones, say nothing";
  }
}

TEST(Controls, EqualMachineCodeWeighsAQuarter) {
  // Beside another suspect of full weight, a case of equal code needs more evidence than a changed one.
  double least_equal = 0, least_changed = 0;
  for (double factor = 1.010; factor < 1.02; factor += 0.0001) {
    for (bool const equal : {true, false}) {
      World world = of_known_code("abc", equal ? "abc" : "abd", factor);
      world.stored("other@p", sessions(quiet())).screened("other@p", sessions({1.02}));
      world.confirmed("other@p", sessions(quiet_fresh()));
      double& least = equal ? least_equal : least_changed;
      if (least == 0 && world.decide(kCase).verdict == Verdict::regressed) {
        least = factor;
      }
    }
  }
  EXPECT_GT(least_changed, 1.01);
  EXPECT_GT(least_equal, least_changed);
  EXPECT_LT(least_equal, least_changed + 0.002);
}

TEST(Controls, MostlyEqualCodeMakesAChangedCaseEasierToConvict) {
  // Thirty suspects of equal code use a quarter of the significance level that thirty changed ones would.
  auto const least_found = [](bool equal) {
    for (double factor = 1.01;; factor += 0.0001) {
      World world;
      world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03}));
      world.confirmed(kCase, slower(sessions(quiet_fresh()), factor));
      for (int i = 0; i < 30; ++i) {
        std::string const id = fmt::format("quiet{}@p", i);
        world.stored(id, sessions(quiet())).screened(id, sessions({1.03})).confirmed(id, sessions(quiet_fresh()));
        for (std::size_t j = 0; j < 5; ++j) {
          world.result(id, j).launches.front().machine_code = "abc";
        }
        world.baseline.cases[id].machine_code = equal ? model::machine_code_of(world.result(id)) : "other";
      }
      if (world.decide(kCase).verdict == Verdict::regressed) {
        return factor;
      }
    }
  };
  EXPECT_LT(least_found(true), least_found(false));
}

}  // namespace
}  // namespace perfcheck::gate::testing
