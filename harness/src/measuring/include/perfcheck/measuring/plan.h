// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a suite and filters to a plan: the cases that run, those that are left out and why, and the slowdowns to inject.
#pragma once

#include "perfcheck/config/asked.h"
#include "perfcheck/session/worker_client.h"

#include <set>

namespace perfcheck::measuring {

struct Plan {
  protocol::HelloAnswer hello;
  std::vector<protocol::PlannedCase> cases;          ///< sorted by id; skipped ones included
  std::map<std::string, std::string> problem_names;  ///< by problem text, for problems that have a name
  config::Asked asked;                               ///< its filters and shard select `cases`
  /// Problems for which the worker offers a case, in the form used in ids, even if no filter or shard selects them.
  std::set<std::string> offered;
  std::vector<model::ProblemInfo> problems;  ///< axes of the worker's problems, if it reports any
  std::size_t runnable() const;
};

/// Asks the worker for the suite's cases, applies the suite's rules and keeps what matches a filter (all, when there is
/// none). A rule for an old id applies to the new id. Throws ConfigError when the worker cannot read a problem, or when
/// two problems mean the same.
Plan make_plan(session::WorkerClient& worker, config::Config const& config, config::Suite const& suite,
               std::vector<std::string> const& filters);

/// Those of `cases` with these ids, in their order.
std::vector<protocol::PlannedCase> with_ids(std::vector<protocol::PlannedCase> const& cases,
                                            std::set<std::string> const& ids);

/// Keeps the cases that belong to a shard, by their new ids; all of them if there is no shard.
void keep_shard(Plan& plan, std::optional<model::Shard> const& shard, model::Renames const& renames);

/// The message that no case is left, with the nearest existing name.
std::string no_match_message(Plan const& unfiltered, std::vector<std::string> const& filters);

/// Converts PATTERN=PERCENT texts to percentages by case id. Throws UsageError for a malformed text, or for a pattern
/// that matches no case that would run.
std::map<std::string, double> injections(std::vector<std::string> const& texts, Plan const& plan);

/// Ids that must have a verdict: every planned case, and every stored case that was asked for, even if no kernel offers
/// it any more (deleted or renamed; a problem without a kernel, or in no suite).
std::vector<std::string> scope_of(Plan const& plan, model::Baseline const* baseline);

}  // namespace perfcheck::measuring
