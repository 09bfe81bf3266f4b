// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Why cases are missing, in words that say what to do; and what is missing without being a case.
#pragma once

#include "perfcheck/config/asked.h"
#include "perfcheck/gate/gate.h"

#include <set>
#include <string>
#include <vector>

namespace perfcheck::results {

/// Where cases should have been: what a worker offers now, or what a run file holds.
enum class Source { worker, run };

/// Gives missing cases whose whole problem is missing a reason that says so. `there` holds the problems of which there
/// are cases.
void explain_missing(gate::Decisions& decisions, config::Asked const& asked, std::set<std::string> const& there,
                     Source source);

/// Problems without a case and without a baseline: a note, and exit code 2.
void tell_lacking(gate::Decisions& decisions, config::Asked const& asked, config::Lacking const& lacking,
                  Source source);

/// Where the run says that it measured less than was asked for: what to say if that was on purpose. `scope` holds the
/// cases that had to run.
std::vector<std::string> notes_on_less(model::Run const& run, std::set<std::string> const& scope);

}  // namespace perfcheck::results
