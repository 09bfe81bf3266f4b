// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sessions become part of a baseline, as somebody decided.
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

/// `bases`, one of an operation each, with the runs: those that changed; or UsageError with what is in the way, the
/// gravest last. `despite`: names of findings, or patterns, with the reason why they are no obstacle; each must be
/// about something.
std::vector<model::Baseline> accepted(std::vector<model::Baseline> const& bases, std::vector<model::Run> const& runs,
                                      store::AcceptOptions accept,
                                      std::vector<std::pair<std::string, std::string>> const& despite,
                                      Context& context);

/// A file that --drop changed, from what it was `before` to one of `bases`, is written only where something is accepted
/// into it. Throws UsageError where a changed one is not among `updated`.
void require_written(std::vector<model::Baseline> const& bases, std::vector<model::Baseline> const& before,
                     std::vector<model::Baseline> const& updated);

/// Of cases that were accepted, what makes the gate blind.
void report_scattered(model::Baseline const& updated, store::AuditPolicy const& audit, Context& context);

/// What was accepted into each file below `root`, and by how much that moves levels. As JSON the first file, which is
/// the only one of a worker with one operation, with the others under "also".
void report_accepted(std::vector<model::Baseline> const& updated, std::vector<model::Baseline> const& before,
                     bool shared_device, std::filesystem::path const& root, Context& context);

}  // namespace perfcheck::baselines
