// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A small made-up world for the gate to decide about: baselines and runs, given as medians of sessions.
#pragma once

#include "perfcheck/gate/gate.h"

#include <gtest/gtest.h>

#include <deque>

namespace perfcheck::gate::testing {

/// The medians of one case in one session. A case with ratio 0 is its own control; 0 cycles means that there is no
/// clock.
struct Session {
  double ratio = 2.0;
  double cycles = 1.0e6;
  double time_ns = 5.0e5;
};

/// One session per factor: `base` with every witness multiplied by the factor.
std::vector<Session> sessions(std::vector<double> const& factors, Session const& base = {});
/// The same sessions with every witness `factor` times as large.
std::vector<Session> slower(std::vector<Session> sessions, double factor);

inline constexpr char const* kCard = "GPU-a";
/// The library of every reference.
inline constexpr char const* kLibrary = "cublas";

class World {
 public:
  World();

  /// Stores a case with one session per entry. Its reference is "ref@<problem>", or the case itself if the ratio is 0.
  World& stored(std::string const& id, std::vector<Session> const& sessions);
  World& screened(std::string const& id, std::vector<Session> const& sessions);
  World& confirmed(std::string const& id, std::vector<Session> const& sessions);
  /// Adds a result without numbers to the screen.
  World& saw(std::string const& id, model::CaseStatus status, std::string const& message = "why");
  model::CaseResult& result(std::string const& id, std::size_t index = 0);
  /// Makes the case's kernel one of kLibrary.
  World& of_library(std::string const& id);
  /// Has the case measured on this card instead of that of `measured_on`.
  World& on(std::string const& id, std::string const& card);

  Decisions decide() const;
  /// The one decision about `id`, a case or a kernel.
  CaseDecision decide(std::string const& id) const;

  model::Baseline baseline;
  bool has_baseline = true;
  model::BaselineSession measured_on;
  model::Baseline const* confirm_base = nullptr;
  std::map<std::string, std::vector<FastRounds>> base_fastest;
  Look look = Look::last;
  Scope scope;
  Policy policy;
  /// Cards of the baseline's sessions, in their order; the last card serves all further sessions.
  std::vector<std::string> cards{kCard};

 private:
  Observation& observation(std::string const& id);
  std::deque<model::CaseResult> results_;
  std::map<std::string, Observation> seen_;
  std::map<std::string, std::string> cards_now_;  ///< by case id
};

/// Five sessions whose witnesses scatter by about 0.1 %.
std::vector<double> quiet();
/// Four fresh ones, likewise.
std::vector<double> quiet_fresh();

}  // namespace perfcheck::gate::testing
