// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the baselines of a folder and checks that decisions can rely on them.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/audit.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::baselines {

/// Files of baselines below the folder, sorted by path; only those of `slug` unless it is empty. None where there is no
/// such folder.
std::vector<std::filesystem::path> baseline_files(std::filesystem::path const& root, std::string const& slug);

/// The stored baseline to decide with, or to add to; empty where there is none. Throws CommandError (undecided) for one
/// of an older version: it has no digest, so nobody knows whether its numbers are those that were accepted.
std::optional<model::Baseline> trusted_baseline(std::filesystem::path const& root, std::string const& device_slug,
                                                std::string const& operation);
/// The same for all operations of a worker, joined into one baseline (store/operations.h).
std::optional<model::Baseline> trusted_baseline(std::filesystem::path const& root, std::string const& device_slug,
                                                model::WorkerInfo const& worker);

/// The baseline with its cases renamed to today's ids. Throws model::RenameError if that is impossible.
std::optional<model::Baseline> renamed(std::optional<model::Baseline> baseline, model::Renames const& renames,
                                       std::filesystem::path const& root);

/// How much sessions may differ, according to the policy.
store::AuditPolicy audit_policy(gate::Policy const& policy);
/// The same for a stored baseline. It does not name its backend, so one without a driver counts as a CPU's.
store::AuditPolicy audit_policy(config::Config const& config, model::Baseline const& baseline);

}  // namespace perfcheck::baselines
