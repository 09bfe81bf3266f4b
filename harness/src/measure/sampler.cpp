// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measure/sampler.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace perfcheck::measure {
namespace {

/// Rounds in one warm-up window: enough for a median, few enough to notice a clock that still moves. With three, the
/// first rounds that count are as good as later ones: over 4,800 cases of 16 sessions on four H100, whose windows had
/// four rounds, the first and second differed from the fourth to eighth by 0.004 % in the median.
constexpr int kWindow = 3;
/// A window ends early once its rounds have kept the device busy for this long: long rounds warm it up by themselves.
constexpr double kWindowSeconds = 0.02;
/// Below this, a median and its standard error mean nothing.
constexpr int kFewestRounds = 3;
/// The precision is checked each time the number of rounds has grown by this factor: checking after every round would
/// stop on a lucky value.
constexpr double kLookGrowth = 1.3;

struct Round {
  device::Reading subject;
  device::Reading reference;
};

/// A B, then B A, so that drift (clock, temperature) affects both sides alike.
Round measure_round(RoundSource& source, bool reference_first) {
  Round round;
  if (reference_first) {
    round.reference = source.replay_reference();
    round.subject = source.replay_case();
  } else {
    round.subject = source.replay_case();
    round.reference = source.replay_reference();
  }
  return round;
}

bool disturbed(Round const& round) { return round.subject.disturbed || round.reference.disturbed; }

double seconds_of(Round const& round) { return (round.subject.time_ns + round.reference.time_ns) * 1e-9; }

/// Repeats a disturbed round until one is not disturbed or `patience_s` is used up. Whether a round is repeated does
/// not depend on its time, so the rounds that are kept are not biased towards fast ones.
Round measure_undisturbed_round(RoundSource& source, bool reference_first, double& patience_s) {
  while (true) {
    Round const round = measure_round(source, reference_first);
    if (!disturbed(round) || !(patience_s > 0)) {
      return round;
    }
    patience_s -= seconds_of(round);
  }
}

/// One quantity over the rounds of a window.
struct Level {
  double centre = NAN;
  double spread = 0;
};

Level level_of(std::vector<double> const& values) {
  return {.centre = stats::median(values).value_or(NAN), .spread = stats::robust_sd(values).value_or(0)};
}

struct Window {
  Level time, reference;
  std::optional<Level> clock;
};

Window measure_window(RoundSource& source, int& replays) {
  std::vector<double> times, references, clocks;
  double busy_s = 0;
  for (int i = 0; i < kWindow && busy_s < kWindowSeconds; ++i) {
    Round const round = measure_round(source, i % 2 == 1);
    busy_s += seconds_of(round);
    replays += 2;
    times.push_back(round.subject.time_ns);
    references.push_back(round.reference.time_ns);
    if (round.subject.clock_mhz) {
      clocks.push_back(*round.subject.clock_mhz);
    }
  }
  return {.time = level_of(times),
          .reference = level_of(references),
          .clock = clocks.empty() ? std::nullopt : std::optional(level_of(clocks))};
}

/// Whether two windows agree within `share`, or within the spread of the rounds in either of them: where rounds scatter
/// by 2 %, windows might never agree within 0.5 %. A steady drift moves windows further apart than it spreads the
/// rounds of either. Written so that NaN is never close.
bool close(Level const& a, Level const& b, double share) {
  return std::abs(a.centre - b.centre) <= std::max({share * std::abs(b.centre), a.spread, b.spread});
}

bool agree(Window const& a, Window const& b, double share) {
  bool const clocks = a.clock.has_value() == b.clock.has_value() && (!a.clock || close(*a.clock, *b.clock, share));
  return clocks && close(a.time, b.time, share) && close(a.reference, b.reference, share);
}

/// Warms up until two consecutive windows agree, or the time is up. Returns whether they agreed.
bool warm_up(RoundSource& source, SamplerOptions const& options, int& replays) {
  double const end = source.now_s() + options.max_warm_up_s;
  Window previous = measure_window(source, replays);
  while (source.now_s() < end) {
    Window const current = measure_window(source, replays);
    if (agree(current, previous, options.steady_share)) {
      return true;
    }
    previous = current;
  }
  return false;
}

void append(model::Rounds& rounds, Round const& round) {
  rounds.time_ns.push_back(round.subject.time_ns);
  rounds.reference_time_ns.push_back(round.reference.time_ns);
  if (round.subject.clock_mhz && round.reference.clock_mhz) {
    rounds.clock_mhz.push_back(*round.subject.clock_mhz);
    rounds.reference_clock_mhz.push_back(*round.reference.clock_mhz);
  }
}

/// Standard error of the median of n independent normal values, in units of sd / sqrt(n): sqrt(pi / 2).
constexpr double kMedianInefficiency = 1.2533;

/// Relative standard error of the median ratio; empty while there are too few rounds. It is the larger of two
/// estimates. Batch means see correlation between neighbouring rounds, but with few batches they are small by chance so
/// often that repeated checks would stop on that. The spread of single rounds is stable, but blind to correlation.
std::optional<double> imprecision(model::Rounds const& rounds) {
  std::vector<double> ratios;
  ratios.reserve(rounds.time_ns.size());
  for (std::size_t i = 0; i < rounds.time_ns.size(); ++i) {
    ratios.push_back(rounds.time_ns[i] / rounds.reference_time_ns[i]);
  }
  auto const centre = stats::median(ratios);
  auto const spread = stats::robust_sd(ratios);
  auto const batches = stats::standard_error_of_median(ratios, ratios.size() >= 32 ? 8 : 4);
  if (!centre || !spread || !batches || !(*centre > 0)) {
    return std::nullopt;
  }
  double const independent = kMedianInefficiency * *spread / std::sqrt(static_cast<double>(ratios.size()));
  return std::max(*batches, independent) / *centre;
}

}  // namespace

SampleResult sample(RoundSource& source, SamplerOptions const& options) {
  SampleResult result;
  result.steady = warm_up(source, options, result.warm_up_replays);

  double const start = source.now_s();
  double busy_s = 0;
  double next_look = options.min_rounds;
  double patience_s = options.max_disturbed_s;
  for (int count = 1; result.stop_reason.empty(); ++count) {
    Round const round = measure_undisturbed_round(source, count % 2 == 0, patience_s);
    append(result.rounds, round);
    result.disturbed_rounds += disturbed(round) ? 1 : 0;
    busy_s += seconds_of(round);
    if (count >= next_look) {
      next_look = std::ceil(next_look * kLookGrowth);
      auto const error = imprecision(result.rounds);
      if (error && *error <= options.precision) {
        result.stop_reason = "precise";
      }
    }
    if (result.stop_reason.empty() && count >= options.max_rounds) {
      result.stop_reason = "round limit";
    }
    bool const out_of_time = busy_s >= options.max_seconds && count >= options.min_rounds;
    bool const far_out_of_time = source.now_s() - start >= options.hard_seconds && count >= kFewestRounds;
    if (result.stop_reason.empty() && (out_of_time || far_out_of_time)) {
      result.stop_reason = "time limit";
    }
  }
  // A clock that could not be read in some rounds cannot be matched with the others.
  if (result.rounds.clock_mhz.size() != result.rounds.time_ns.size()) {
    result.rounds.clock_mhz.clear();
    result.rounds.reference_clock_mhz.clear();
  }
  return result;
}

}  // namespace perfcheck::measure
