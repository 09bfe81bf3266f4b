// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/noise.h"

#include "perfcheck/model/summary.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace perfcheck::calibrate {
namespace {

enum Witness { kRatio, kCycles, kTime, kWitnesses };

/// Logarithms by card, and the spreads of the rounds behind them.
struct Collected {
  std::map<std::string, std::vector<double>> by_card;
  std::vector<double> spreads;
};

std::vector<double> rounds_of(model::Rounds const& rounds, Witness witness) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rounds.time_ns.size(); ++i) {
    switch (witness) {
      case kRatio: values.push_back(rounds.time_ns[i] / rounds.reference_time_ns[i]); break;
      case kCycles: values.push_back(rounds.time_ns[i] * rounds.clock_mhz[i]); break;
      default: values.push_back(rounds.time_ns[i]);
    }
  }
  return values;
}

std::optional<double> value_of(model::SessionSummary const& summary, Witness witness) {
  return witness == kRatio ? summary.ratio : witness == kCycles ? summary.cycles : std::optional(summary.time_ns);
}

void collect(model::CaseResult const& result, std::string const& card, std::array<Collected, kWitnesses>& all) {
  std::optional<model::SessionSummary> const summary = model::summarize(result);
  if (!summary || result.injected_percent > 0) {
    return;
  }
  for (Witness const witness : {kRatio, kCycles, kTime}) {
    std::optional<double> const value = value_of(*summary, witness);
    if (!value) {
      continue;
    }
    std::vector<double> const rounds = rounds_of(*result.rounds, witness);
    all[witness].by_card[card].push_back(std::log(*value));
    all[witness].spreads.push_back(stats::robust_sd(rounds).value_or(NAN) / stats::median(rounds).value_or(NAN));
  }
}

NoiseSplit split(Collected const& collected) {
  NoiseSplit noise;
  noise.rounds = stats::median(collected.spreads);
  double squares = 0, df = 0, inverse_sessions = 0;
  std::vector<double> means;
  for (auto const& [card, logs] : collected.by_card) {
    double const sd = stats::sample_sd(logs).value_or(0);
    double const sessions = static_cast<double>(logs.size());
    squares += sd * sd * (sessions - 1);
    df += sessions - 1;
    inverse_sessions += 1 / sessions;
    means.push_back(*stats::mean(logs));
  }
  if (!(df > 0)) {
    return noise;
  }
  double const variance = squares / df;
  noise.sessions = std::sqrt(variance);
  if (std::optional<double> const spread = stats::sample_sd(means)) {
    double const of_sessions = variance * inverse_sessions / static_cast<double>(means.size());
    noise.cards = std::sqrt(std::max(0.0, *spread * *spread - of_sessions));
  }
  return noise;
}

}  // namespace

std::map<std::string, CaseNoise> noise_of(std::vector<model::Run const*> const& runs) {
  std::map<std::string, std::array<Collected, kWitnesses>> by_case;
  for (model::Run const* run : runs) {
    for (model::Session const& session : run->sessions) {
      for (model::CaseResult const& result : session.cases) {
        collect(result, session.device.uuid, by_case[result.id]);
      }
    }
  }
  std::map<std::string, CaseNoise> noise;
  for (auto const& [id, all] : by_case) {
    if (!all[kTime].spreads.empty()) {
      noise[id] = {.ratio = split(all[kRatio]), .cycles = split(all[kCycles]), .time = split(all[kTime])};
    }
  }
  return noise;
}

}  // namespace perfcheck::calibrate
