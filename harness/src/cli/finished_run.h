// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Deciding about a run that was measured earlier, or elsewhere.
#pragma once

#include "gate/gate.h"
#include "model/baseline.h"

#include <optional>
#include <set>
#include <string>

namespace perfcheck::cli {

/// The stored cases that a run should have measured: those of the problems that it concerned itself with, as far as its
/// own filters select them. Other programs measure all of their benchmarks in every file: there, every stored case of
/// the programs in it.
std::set<std::string> expected_cases(model::Baseline const& baseline, model::Run const& run);

/// As `check` would have decided. Without a baseline every measured case is no_baseline.
gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy);

}  // namespace perfcheck::cli
