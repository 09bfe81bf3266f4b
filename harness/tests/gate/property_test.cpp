// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of the decision over many made-up runs, with the noise measured on an H100 (coefficients of variation of
// ratio, cycles and time between fresh processes).
#include "perfcheck/stats/stats.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;

struct Noise {
  char const* name;
  double time, cycles, ratio;
};

constexpr std::array<Noise, 7> kMeasured = {{{"f32 512", 0.0040, 0.0013, 0.0007},
                                             {"f32 4096", 0.0036, 0.0005, 0.0002},
                                             {"tf32 4096", 0.0277, 0.0006, 0.0018},
                                             {"f16 512", 0.0062, 0.0028, 0.0020},
                                             {"f16 1024", 0.0027, 0.0057, 0.0012},
                                             {"f16 4096", 0.0064, 0.0004, 0.0007},
                                             {"f16 8192", 0.0052, 0.0009, 0.0006}}};

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : random_(seed) {}

  Session draw(Noise const& noise, double factor) {
    Session const base;
    return {.ratio = base.ratio * factor * std::exp(noise.ratio * normal_(random_)),
            .cycles = base.cycles * factor * std::exp(noise.cycles * normal_(random_)),
            .time_ns = base.time_ns * factor * std::exp(noise.time * normal_(random_))};
  }

  std::vector<Session> draw(Noise const& noise, double factor, int count) {
    std::vector<Session> sessions;
    for (int i = 0; i < count; ++i) {
      sessions.push_back(draw(noise, factor));
    }
    return sessions;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

std::string id_of(int index) { return fmt::format("kernel{}@p", index); }

/// A suite of `cases` cases, of which every `step`-th is `factor` times as slow (step 0: none).
World suite(Sampler& sampler, int cases, int step, double factor) {
  World world;
  for (int i = 0; i < cases; ++i) {
    Noise const& noise = kMeasured[static_cast<std::size_t>(i) % kMeasured.size()];
    double const now = step > 0 && i % step == step - 1 ? factor : 1.0;
    world.stored(id_of(i), sampler.draw(noise, 1.0, 8));
    world.screened(id_of(i), sampler.draw(noise, now, 1));
  }
  Decisions const screen = world.decide();
  for (CaseDecision const& decision : screen.cases) {
    if (decision.wants_confirmation) {
      int const i = std::stoi(decision.id.substr(6));
      double const now = step > 0 && i % step == step - 1 ? factor : 1.0;
      world.confirmed(decision.id, sampler.draw(kMeasured[static_cast<std::size_t>(i) % kMeasured.size()], now, 4));
    }
  }
  return world;
}

int count(Decisions const& decisions, Verdict verdict) {
  return static_cast<int>(std::count_if(decisions.cases.begin(), decisions.cases.end(),
                                        [&](CaseDecision const& decision) { return decision.verdict == verdict; }));
}

TEST(Property, EqualCodeRaisesNoAlarm) {
  int flagged = 0, cases = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Sampler sampler(seed);
    Decisions const decisions = suite(sampler, 165, 0, 1.0).decide();
    EXPECT_EQ(count(decisions, Verdict::pass), 165) << "seed " << seed;
    EXPECT_EQ(decisions.exit_code, model::ExitCode::ok) << "seed " << seed;
    cases += 165;
    flagged += static_cast<int>(std::count_if(decisions.cases.begin(), decisions.cases.end(),
                                              [](auto const& d) { return d.reason_code != "not_flagged"; }));
  }
  // The cases that the screen flags are what a check costs beyond its first session.
  EXPECT_LT(flagged, cases / 50) << "flagged, of " << cases;
}

TEST(Property, ThreePercentOnOneKernelIsFoundThereAndNowhereElse) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Sampler sampler(seed);
    Decisions const decisions = suite(sampler, 165, 11, 1.03).decide();  // 15 of 165 cases, as one kernel has
    EXPECT_EQ(count(decisions, Verdict::regressed), 15) << "seed " << seed;
    EXPECT_EQ(count(decisions, Verdict::pass), 150) << "seed " << seed;
    EXPECT_EQ(decisions.exit_code, model::ExitCode::regressed);
  }
}

TEST(Property, ThreePercentFasterIsAnImprovement) {
  Sampler sampler(5);
  Decisions const decisions = suite(sampler, 165, 11, 1 / 1.03).decide();
  EXPECT_EQ(count(decisions, Verdict::improved), 15);
  EXPECT_EQ(decisions.exit_code, model::ExitCode::ok);
}

TEST(Property, ANoisyMachineIsNotCriedWolfAt) {
  // With ten times the noise of the H100, hardly anything can be shown, so nothing may be claimed.
  int regressed = 0, runs_with_alarm = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Sampler sampler(seed);
    World world;
    Noise const loud{"loud", 0.05, 0.02, 0.02};
    for (int i = 0; i < 60; ++i) {
      world.stored(id_of(i), sampler.draw(loud, 1.0, 5)).screened(id_of(i), sampler.draw(loud, 1.0, 1));
      world.confirmed(id_of(i), sampler.draw(loud, 1.0, 4));
    }
    int const here = count(world.decide(), Verdict::regressed);
    regressed += here;
    runs_with_alarm += here > 0 ? 1 : 0;
  }
  EXPECT_LE(runs_with_alarm, 3) << regressed << " false alarms; the family-wise rate must be at most 5 %";
}

TEST(Property, SwappingTheSidesSwapsRegressedAndImproved) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> change(-0.06, 0.06);
    Sampler sampler(seed);
    World forward, backward;
    for (int i = 0; i < 21; ++i) {
      Noise const& noise = kMeasured[static_cast<std::size_t>(i) % kMeasured.size()];
      double step = change(random);
      step = std::abs(step) < 0.02 ? 0 : step;  // near the margin, slower and faster may differ in significance
      std::vector<Session> const before = sampler.draw(noise, 1.0, 6), after = sampler.draw(noise, std::exp(step), 6);
      auto const fill = [&](World& world, std::vector<Session> const& old, std::vector<Session> const& now) {
        world.stored(id_of(i), old).screened(id_of(i), {now.front()});
        world.confirmed(id_of(i), {now.begin() + 1, now.end()});
      };
      fill(forward, before, after);
      fill(backward, after, before);
    }
    Decisions const there = forward.decide(), back = backward.decide();
    for (std::size_t i = 0; i < there.cases.size(); ++i) {
      Verdict const one = there.cases[i].verdict, other = back.cases[i].verdict;
      EXPECT_EQ(one == Verdict::regressed, other == Verdict::improved)
          << "seed " << seed << " " << there.cases[i].reason;
      EXPECT_EQ(one == Verdict::improved, other == Verdict::regressed)
          << "seed " << seed << " " << there.cases[i].reason;
    }
  }
}

/// Sessions around `centre`; `scatter` holds the logarithms of ratio, cycles and time of each.
struct Scattered {
  Session centre;
  std::vector<std::array<double, 3>> scatter;

  /// The same sessions with `factor` times the scatter around an unchanged mean. For stored sessions, outliers are cut
  /// from the mean as the gate does.
  std::vector<Session> sessions(double factor, bool stored = false) const {
    std::array<double, 3> mean{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> values;
      for (auto const& one : scatter) {
        values.push_back(one[k]);
      }
      double const reach = stored ? 3 * stats::robust_sd(values).value() : HUGE_VAL;
      mean[k] = stats::cut_mean(values, reach).value();
    }
    std::vector<Session> result;
    for (auto const& one : scatter) {
      auto const at = [&](std::size_t k) { return std::exp(mean[k] + factor * (one[k] - mean[k])); };
      result.push_back(
          {.ratio = centre.ratio * at(0), .cycles = centre.cycles * at(1), .time_ns = centre.time_ns * at(2)});
    }
    return result;
  }
};

TEST(Property, MoreNoiseNeverTurnsInconclusiveIntoPass) {
  int inconclusive = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> change(0.995, 1.03);
    auto const scattered = [&](int count, double factor, double sd) {
      Session const base;
      Scattered result{
          .centre = {.ratio = base.ratio * factor, .cycles = base.cycles * factor, .time_ns = base.time_ns * factor},
          .scatter = {}};
      for (int i = 0; i < count; ++i) {
        result.scatter.push_back({sd * normal(random), sd * normal(random), 2 * sd * normal(random)});
      }
      return result;
    };
    struct Case {
      Scattered stored, screened, confirmed;
    };
    std::vector<Case> cases;
    for (int i = 0; i < 12; ++i) {
      double const factor = change(random), sd = 0.001 + 0.004 * (i % 4);
      cases.push_back({scattered(6, 1, sd), scattered(1, factor, sd), scattered(4, factor, sd)});
    }
    auto const verdicts = [&](double factor) {
      World world;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        std::string const id = id_of(static_cast<int>(i));
        world.stored(id, cases[i].stored.sessions(factor, true)).screened(id, cases[i].screened.sessions(factor));
        world.confirmed(id, cases[i].confirmed.sessions(factor));
      }
      return world.decide().cases;
    };
    auto const before = verdicts(1);
    for (double const factor : {1.5, 4.0}) {
      auto const after = verdicts(factor);
      for (std::size_t i = 0; i < before.size(); ++i) {
        // If two witnesses contradicted each other, more noise may silence one of them.
        if (before[i].verdict == Verdict::inconclusive && before[i].reason_code != "witnesses_disagree") {
          ++inconclusive;
          EXPECT_NE(after[i].verdict, Verdict::pass)
              << "seed " << seed << ", " << factor << " times the noise; before: " << before[i].reason
              << "\nafter: " << after[i].reason_code << " " << after[i].reason;
        }
      }
    }
  }
  EXPECT_GT(inconclusive, 200) << "too few cases were inconclusive to test the property";
}

TEST(Property, WhatIsNotEvidenceNeverPasses) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Session> const good = sessions(quiet());
  auto const verdict = [](World& world) { return world.decide("k@p").verdict; };
  for (double const bad : {nan, std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
    for (double Session::* member : {&Session::ratio, &Session::cycles, &Session::time_ns}) {
      World world;
      world.stored("k@p", good).screened("k@p", sessions({1.0}));
      model::Rounds& rounds = *world.result("k@p").rounds;
      (member == &Session::ratio    ? rounds.reference_time_ns
       : member == &Session::cycles ? rounds.clock_mhz
                                    : rounds.time_ns)[1] = bad;
      EXPECT_EQ(verdict(world), Verdict::invalid) << bad;
    }
    World world;
    world.stored("k@p", good).screened("k@p", sessions({1.0}));
    world.baseline.cases["k@p"].time_ns[2] = bad;
    EXPECT_EQ(verdict(world), Verdict::invalid) << bad;
  }
  World no_rounds, one_stored, nothing_seen;
  no_rounds.stored("k@p", good).screened("k@p", sessions({1.0}));
  no_rounds.result("k@p").rounds = model::Rounds{};
  EXPECT_EQ(verdict(no_rounds), Verdict::invalid);
  one_stored.stored("k@p", sessions({1.0})).screened("k@p", sessions({1.0}));
  for (int const asked : {1, 3}) {
    one_stored.policy.min_baseline_sessions = asked;
    EXPECT_EQ(verdict(one_stored), Verdict::inconclusive);
  }
  nothing_seen.stored("k@p", good);
  nothing_seen.scope.case_ids = {"k@p"};
  EXPECT_EQ(verdict(nothing_seen), Verdict::missing);
}

TEST(Property, ScalingAllTimesChangesNoVerdict) {
  for (double const scale : {1e-3, 7.0, 1e4}) {
    Sampler sampler(9), same(9);
    Decisions const before = suite(sampler, 40, 5, 1.03).decide();
    World world;
    for (int i = 0; i < 40; ++i) {
      Noise const& noise = kMeasured[static_cast<std::size_t>(i) % kMeasured.size()];
      auto const scaled = [&](std::vector<Session> sessions) {
        for (Session& session : sessions) {
          session.time_ns *= scale;
          session.cycles *= scale;
        }
        return sessions;
      };
      world.stored(id_of(i), scaled(same.draw(noise, 1.0, 8)));
      world.screened(id_of(i), scaled(same.draw(noise, i % 5 == 4 ? 1.03 : 1.0, 1)));
    }
    for (CaseDecision const& decision : world.decide().cases) {
      if (decision.wants_confirmation) {
        int const i = std::stoi(decision.id.substr(6));
        auto sessions =
            same.draw(kMeasured[static_cast<std::size_t>(i) % kMeasured.size()], i % 5 == 4 ? 1.03 : 1.0, 4);
        for (Session& session : sessions) {
          session.time_ns *= scale;
          session.cycles *= scale;
        }
        world.confirmed(decision.id, sessions);
      }
    }
    Decisions const after = world.decide();
    ASSERT_EQ(after.cases.size(), before.cases.size());
    for (std::size_t i = 0; i < after.cases.size(); ++i) {
      EXPECT_EQ(after.cases[i].verdict, before.cases[i].verdict) << after.cases[i].id;
      EXPECT_EQ(after.cases[i].reason_code, before.cases[i].reason_code) << after.cases[i].id;
    }
  }
}

TEST(Property, TheDetectableChangeIsDetectedFourTimesInFive) {
  Noise const noise{"one", 0.003, 0.002, 0.002};
  int found = 0;
  constexpr int kTrials = 400;
  for (int trial = 0; trial < kTrials; ++trial) {
    Sampler sampler(static_cast<std::uint64_t>(trial) + 1);
    World world;
    world.policy.min_sd = 0.002;
    world.stored("k@p", sampler.draw(noise, 1.0, 30));
    // The true spread is known here, and so is the size that is seen with probability 0.8: limit + (t96 + t80) * se.
    // The first look has spent a fifth of 0.05.
    double const size = std::log(1.01) + (1.751 + 0.842) * 0.002 * std::sqrt(1.0 / 4 + 1.0 / 30);
    world.screened("k@p", sampler.draw(noise, std::exp(size), 1));
    world.confirmed("k@p", sampler.draw(noise, std::exp(size), 4));
    CaseDecision const decision = world.decide("k@p");
    found += decision.verdict == Verdict::regressed ? 1 : 0;
    EXPECT_NEAR(*decision.detectable, std::expm1(size), 0.001);
  }
  EXPECT_NEAR(found / static_cast<double>(kTrials), 0.8, 0.08);
}

}  // namespace
}  // namespace perfcheck::gate::testing
