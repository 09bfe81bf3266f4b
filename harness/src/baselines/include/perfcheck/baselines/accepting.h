// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sessions become part of a baseline, as somebody decided.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/levels.h"
#include "perfcheck/store/store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::baselines {

/// Takes the cases that match each pattern out. Throws UsageError for one that matches none.
void drop_cases(model::Baseline& baseline, std::vector<std::string> const& patterns);

/// `base` with the runs, or UsageError with what is in the way, the gravest last. `despite`: names of findings, or
/// patterns, with the reason why they are no obstacle; each must be about something.
model::Baseline accepted(std::optional<model::Baseline> base, std::vector<model::Run> const& runs,
                         store::AcceptOptions accept, std::vector<std::pair<std::string, std::string>> const& despite,
                         Context& context);

/// Of cases that were accepted, what makes the gate blind.
void report_scattered(model::Baseline const& updated, store::AuditPolicy const& audit, Context& context);

/// What was accepted, and by how much that moves levels.
void report_accepted(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                     std::string const& file, Context& context);

}  // namespace perfcheck::baselines
