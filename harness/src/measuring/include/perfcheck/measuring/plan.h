// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a suite and filters to the cases that run, those that are left out with their reason, and what to inject.
#pragma once

#include "perfcheck/config/asked.h"
#include "perfcheck/session/worker_client.h"

#include <set>

namespace perfcheck::measuring {

struct Plan {
  protocol::HelloAnswer hello;
  std::vector<protocol::PlannedCase> cases;          ///< sorted by id; skipped ones included
  std::map<std::string, std::string> problem_names;  ///< by problem text, of the problems that have a name
  config::Asked asked;                               ///< `cases` are what its filters and its shard leave
  /// Problems of which the worker offers a case, in the form that ids have: of all cases, whatever is left of them.
  std::set<std::string> offered;
  std::vector<model::ProblemInfo> problems;  ///< axes of the worker's problems, as far as it tells any
  std::size_t runnable() const;
};

/// Asks the worker what the suite comes to, applies the suite's rules and keeps what matches a filter (all, when there
/// is none). A rule of an old id holds for what it is called now. Throws ConfigError when the worker cannot read a
/// problem.
Plan make_plan(session::WorkerClient& worker, config::Config const& config, config::Suite const& suite,
               std::vector<std::string> const& filters);

/// Those of `cases` with these ids, in their order.
std::vector<protocol::PlannedCase> with_ids(std::vector<protocol::PlannedCase> const& cases,
                                            std::set<std::string> const& ids);

/// Keeps the cases that fall to a shard, by what they are called now; all of them without one.
void keep_shard(Plan& plan, std::optional<model::Shard> const& shard, model::Renames const& renames);

/// Why no case is left, with the nearest name there is.
std::string no_match_message(Plan const& unfiltered, std::vector<std::string> const& filters);

/// PATTERN=PERCENT texts to percent by case id. Throws UsageError for a malformed text or a pattern that matches no
/// case that would run.
std::map<std::string, double> injections(std::vector<std::string> const& texts, Plan const& plan);

/// Ids that must have a verdict: every planned case, and stored cases that were asked for and that no kernel offers any
/// more (deleted, renamed; a problem without a kernel, or without a suite).
std::vector<std::string> scope_of(Plan const& plan, model::Baseline const* baseline);

}  // namespace perfcheck::measuring
