// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a suite and filters to the cases that run, those that are left out with their reason, and what to inject.
#pragma once

#include "config/config.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/session/worker_client.h"

#include <set>

namespace perfcheck::cli {

struct Plan {
  protocol::HelloAnswer hello;
  std::vector<protocol::PlannedCase> cases;          ///< sorted by id; skipped ones included
  std::map<std::string, std::string> problem_names;  ///< by problem text, of the problems that have a name
  std::vector<std::string> problems;                 ///< every problem of the suite, in its order
  std::optional<model::Shard> shard;                 ///< the part that `cases` are; absent: all of them
  std::size_t runnable() const;
};

/// A suite's problems with {types} replaced, in the order of the file, and the names of those that have one.
std::vector<SuiteProblem> expand(Suite const& suite);

/// Asks the worker what the suite comes to, applies the suite's rules and keeps what matches a filter (all, when there
/// is none). Throws ConfigError when the worker cannot read a problem.
Plan make_plan(session::WorkerClient& worker, Config const& config, Suite const& suite,
               std::vector<std::string> const& filters);

/// Keeps the cases that fall to a shard; all of them without one.
void keep_shard(Plan& plan, std::optional<model::Shard> const& shard);

/// Why no case is left, with the nearest name there is.
std::string no_match_message(Plan const& unfiltered, std::vector<std::string> const& filters);

/// PATTERN=PERCENT texts to percent by case id. Throws UsageError for a malformed text or a pattern that matches no
/// case that would run.
std::map<std::string, double> injections(std::vector<std::string> const& texts, Plan const& plan);

/// Ids of the baseline's cases that belong to one of `problems`.
std::set<std::string> stored_cases(model::Baseline const& baseline, std::set<std::string> const& problems);

/// Ids that must have a verdict: every planned case, and baseline cases of the suite's problems that no kernel offers
/// any more (deleted, renamed).
std::vector<std::string> scope_of(Plan const& plan, model::Baseline const* baseline,
                                  std::vector<std::string> const& filters);

bool selected(std::vector<std::string> const& filters, std::string const& case_id);

}  // namespace perfcheck::cli
