// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Deciding about a run that was measured earlier, or elsewhere.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/baseline.h"

#include <optional>
#include <set>
#include <string>

namespace perfcheck::cli {

/// The stored cases that a run should have measured: those of the problems that it concerned itself with, as far as its
/// own filters select them. Other programs measure all of their benchmarks in every file: there, every stored case of
/// the programs in it.
std::set<std::string> expected_cases(model::Baseline const& baseline, model::Run const& run);

/// What a finished run is judged by.
struct Yardstick {
  std::optional<model::Baseline> baseline;      ///< none: every measured case is no_baseline
  std::optional<model::Baseline> confirm_base;  ///< the base build, measured beside the confirmation
  std::set<std::string> scope;                  ///< ids of the cases that must have run
  gate::Policy policy;

  gate::Decisions decide(gate::Observations seen) const;
};

/// The stored baseline, as for `check`: what the run concerned itself with must have run. The base build that was
/// measured beside it confirms, and stands in for the baseline where it was screened, too.
Yardstick yardstick_of(model::Run const& run, std::optional<model::Baseline> stored, gate::Policy const& policy);

/// As `check` would have decided. Without a baseline every measured case is no_baseline.
gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy);

}  // namespace perfcheck::cli
