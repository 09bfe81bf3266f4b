// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Accepts sessions into baselines.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/store.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::baselines {

/// Takes the cases that match each pattern out of all baselines. Throws UsageError for one that matches none.
void drop_cases(std::vector<model::Baseline>& baselines, std::vector<std::string> const& patterns);

/// Accepts `runs` into `bases`, one baseline per operation, and returns the baselines that changed. If the audit
/// objects, prints all findings but the gravest and throws UsageError with the gravest. `despite` holds names of
/// findings, or patterns, with the reason to overrule them; each must match a finding.
std::vector<model::Baseline> accepted(std::vector<model::Baseline> const& bases, std::vector<model::Run> const& runs,
                                      store::AcceptOptions accept,
                                      std::vector<std::pair<std::string, std::string>> const& despite,
                                      Context& context);

/// A baseline that --drop changed is written only if something is also accepted into it. Throws UsageError if a
/// baseline in `bases` differs from `before` and is not among `updated`.
void require_written(std::vector<model::Baseline> const& bases, std::vector<model::Baseline> const& before,
                     std::vector<model::Baseline> const& updated);

/// Prints a note about accepted cases whose sessions scatter so much that the gate sees little.
void report_scattered(model::Baseline const& updated, store::AuditPolicy const& audit, Context& context);

/// Prints what was accepted into each file below `root`, and by how much that moves levels. The JSON holds the first
/// file, and further ones under "also"; a worker with one operation has one file.
void report_accepted(std::vector<model::Baseline> const& updated, std::vector<model::Baseline> const& before,
                     bool shared_device, std::filesystem::path const& root, Context& context);

}  // namespace perfcheck::baselines
