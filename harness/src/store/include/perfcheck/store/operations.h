// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Baselines of a worker with several operations: a file for each, one baseline for whoever compares with them.
#pragma once

#include "perfcheck/store/store.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::store {

/// The baselines of several operations on one device as one; empty without any. Sessions of one worker process become
/// one session again; ids of the others get their operation in front, where they are not of the first baseline. A
/// single baseline stays as it is. Throws model::FormatError for a case that is in two of them.
std::optional<model::Baseline> joined(std::vector<model::Baseline> baselines);

/// What there is of these operations, joined.
std::optional<model::Baseline> read_baselines(std::filesystem::path const& root, std::string const& device_slug,
                                              std::vector<std::string> const& operations);

/// `operation` and those that are named in front of the problems of `case_ids`: of a history, which keeps no more of a
/// worker than its first operation.
std::vector<std::string> operations_of(std::string const& operation, std::vector<std::string> const& case_ids);

/// accept() for each operation of the runs' worker, with the baseline that `stored` has of it and the cases that are of
/// it. Returns the baselines that changed, in the order of the operations. All or nothing: throws as accept() does,
/// also std::invalid_argument for runs of workers with different operations.
std::vector<model::Baseline> accept_each(
    std::function<std::optional<model::Baseline>(std::string const& operation)> const& stored,
    std::vector<model::Run> const& runs, AcceptOptions const& options);

}  // namespace perfcheck::store
