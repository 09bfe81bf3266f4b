// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The sessions of one card, split into a level per case, a part common to all cases of a session, and the rest.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/model/summary.h"

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace perfcheck::calibrate {

/// Witnesses of a case, as logarithms: time, ratio, cycles.
inline constexpr std::size_t kChannels = 3;
using Channels = std::array<double, kChannels>;

/// A number below `end` (> 0), the same in every standard library.
std::size_t draw_below(std::mt19937_64& engine, std::size_t end);

class RecordedNoise {
 public:
  /// Takes all sessions of `runs`, which must be of one card. Leaves out results that were slowed down or have no
  /// summary.
  explicit RecordedNoise(std::vector<model::Run const*> const& runs);

  std::size_t sessions() const { return common_.size(); }
  bool knows(std::string const& id) const { return cases_.contains(id); }

  /// Simulated sessions: entry i combines the common part of one recorded session with the rest of another.
  struct Drawn {
    std::vector<std::size_t> common, rest;
  };
  /// Draws `count` sessions, at most sessions(). No recorded session provides the same part twice.
  Drawn draw(std::size_t count, std::mt19937_64& engine) const;

  /// The summary of case `id` in each drawn session. If the case was slowed down in the session that provides the rest,
  /// its rest comes from a session that provides none in this check, or from any session if none is left.
  std::vector<model::SessionSummary> summaries(std::string const& id, Drawn const& drawn,
                                               std::mt19937_64& engine) const;

 private:
  struct Rest {
    Channels value{};
    double tail = 1;
  };
  struct Case {
    std::array<bool, kChannels> has{};  ///< witnesses that the case has
    Channels level{};
    std::map<std::size_t, Rest> rest;  ///< by session, where it was not slowed down
  };

  void collect(std::size_t session, model::Session const& measured);
  void center_cases();
  void center_sessions();

  std::vector<Channels> common_;  ///< by session
  std::map<std::string, Case> cases_;
};

}  // namespace perfcheck::calibrate
