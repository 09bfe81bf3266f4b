// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "recorded_noise.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfcheck::calibrate {
namespace {

enum Channel : std::size_t { kTime, kRatio, kCycles };

// Levels and common parts depend on each other, so they are computed in turns. Medians over many cases hardly move
// after the second round.
constexpr int kRounds = 3;

/// The first `count` numbers of a random order of 0 ... size - 1.
std::vector<std::size_t> some_of(std::size_t size, std::size_t count, std::mt19937_64& engine) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(order[i], order[i + draw_below(engine, size - i)]);
  }
  order.resize(count);
  return order;
}

}  // namespace

std::size_t draw_below(std::mt19937_64& engine, std::size_t end) { return engine() % end; }

RecordedNoise::RecordedNoise(std::vector<model::Run const*> const& runs) {
  for (model::Run const* run : runs) {
    for (model::Session const& session : run->sessions) {
      common_.emplace_back();
      collect(common_.size() - 1, session);
    }
  }
  for (int round = 0; round < kRounds; ++round) {
    center_cases();
    center_sessions();
  }
  center_cases();
}

void RecordedNoise::collect(std::size_t session, model::Session const& measured) {
  for (model::CaseResult const& result : measured.cases) {
    std::optional<model::SessionSummary> const summary = model::summarize(result);
    if (!summary || result.injected_percent != 0) {
      continue;
    }
    Case& of_case = cases_[result.id];
    of_case.has = {true, summary->ratio.has_value(), summary->cycles.has_value()};
    of_case.rest[session] = {.value = {std::log(summary->time_ns), std::log(summary->ratio.value_or(1)),
                                       std::log(summary->cycles.value_or(1))},
                             .tail = summary->tail};
  }
}

/// Moves the mean of each case's rests into its level.
void RecordedNoise::center_cases() {
  for (auto& [id, one] : cases_) {
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      double mean = 0;
      for (auto const& [session, rest] : one.rest) {
        mean += rest.value[channel] / static_cast<double>(one.rest.size());
      }
      one.level[channel] += mean;
      for (auto& [session, rest] : one.rest) {
        rest.value[channel] -= mean;
      }
    }
  }
}

/// Moves the median of each session's rests into its common part.
void RecordedNoise::center_sessions() {
  for (std::size_t session = 0; session < common_.size(); ++session) {
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      std::vector<double> values;
      for (auto const& [id, one] : cases_) {
        auto const rest = one.rest.find(session);
        if (rest != one.rest.end() && one.has[channel]) {
          values.push_back(rest->second.value[channel]);
        }
      }
      double const middle = stats::median(values).value_or(0);
      common_[session][channel] += middle;
      for (auto& [id, one] : cases_) {
        if (auto const rest = one.rest.find(session); rest != one.rest.end() && one.has[channel]) {
          rest->second.value[channel] -= middle;
        }
      }
    }
  }
}

RecordedNoise::Drawn RecordedNoise::draw(std::size_t count, std::mt19937_64& engine) const {
  return {.common = some_of(sessions(), count, engine), .rest = some_of(sessions(), count, engine)};
}

std::vector<model::SessionSummary> RecordedNoise::summaries(std::string const& id, Drawn const& drawn,
                                                            std::mt19937_64& engine) const {
  Case const& one = cases_.at(id);
  std::vector<std::size_t> spare;
  for (auto const& [session, rest] : one.rest) {
    if (std::find(drawn.rest.begin(), drawn.rest.end(), session) == drawn.rest.end()) {
      spare.push_back(session);
    }
  }
  std::vector<model::SessionSummary> summaries;
  for (std::size_t i = 0; i < drawn.rest.size(); ++i) {
    auto rest = one.rest.find(drawn.rest[i]);
    if (rest == one.rest.end() && !spare.empty()) {
      std::size_t const taken = draw_below(engine, spare.size());
      rest = one.rest.find(spare[taken]);
      spare.erase(spare.begin() + static_cast<std::ptrdiff_t>(taken));
    } else if (rest == one.rest.end()) {
      rest = std::next(one.rest.begin(), static_cast<std::ptrdiff_t>(draw_below(engine, one.rest.size())));
    }
    auto const value = [&](Channel channel) {
      return std::exp(one.level[channel] + common_[drawn.common[i]][channel] + rest->second.value[channel]);
    };
    model::SessionSummary summary;
    summary.time_ns = value(kTime);
    if (one.has[kRatio]) {
      summary.ratio = value(kRatio);
    }
    if (one.has[kCycles]) {
      summary.cycles = value(kCycles);
    }
    summary.tail = rest->second.tail;
    summaries.push_back(summary);
  }
  return summaries;
}

}  // namespace perfcheck::calibrate
