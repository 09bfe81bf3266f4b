// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Baselines of a worker with several operations: a file for each, joined into one baseline for comparing.
#pragma once

#include "perfcheck/store/store.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::store {

/// Joins the baselines of several operations on one device; empty if there are none. Sessions of one worker process
/// become one session again; the ids of all others that are not of the first baseline get their operation in front. A
/// single baseline stays as it is. Throws model::FormatError for a case that is in two of them.
std::optional<model::Baseline> joined(std::vector<model::Baseline> baselines);

/// Reads and joins the baselines of these operations, as far as there are any.
std::optional<model::Baseline> read_baselines(std::filesystem::path const& root, std::string const& device_slug,
                                              std::vector<std::string> const& operations);

/// `operation`, and the operations named in front of the problems of `case_ids`. For histories, which keep only the
/// first operation of a worker.
std::vector<std::string> operations_of(std::string const& operation, std::vector<std::string> const& case_ids);

/// accept() for each operation of the runs' worker, with the baseline that `stored` returns for it and with its cases.
/// Returns the baselines that changed, in the order of the operations. All or nothing: throws as accept() does, and
/// std::invalid_argument for runs of workers with different operations.
std::vector<model::Baseline> accept_each(
    std::function<std::optional<model::Baseline>(std::string const& operation)> const& stored,
    std::vector<model::Run> const& runs, AcceptOptions const& options);

}  // namespace perfcheck::store
