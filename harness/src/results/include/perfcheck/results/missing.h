// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains why cases are missing and what to do, and reports problems that have no case at all.
#pragma once

#include "perfcheck/config/asked.h"
#include "perfcheck/gate/gate.h"

#include <set>
#include <string>
#include <vector>

namespace perfcheck::results {

/// Where cases should have been: what a worker offers now, or what a run file holds.
enum class Source { worker, run };

/// If a missing case's whole problem is missing, gives the case a reason that says so. `there` holds the problems that
/// have cases.
void explain_missing(gate::Decisions& decisions, config::Asked const& asked, std::set<std::string> const& there,
                     Source source);

/// Adds a note, and exit code 2, for problems that have neither a case nor a baseline.
void tell_lacking(gate::Decisions& decisions, config::Asked const& asked, config::Lacking const& lacking,
                  Source source);

/// Notes for a run that says it measured less than was asked for: what to do if that was on purpose. `scope` holds the
/// cases that had to run.
std::vector<std::string> notes_on_less(model::Run const& run, std::set<std::string> const& scope);

}  // namespace perfcheck::results
