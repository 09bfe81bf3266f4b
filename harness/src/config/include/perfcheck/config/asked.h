// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What must have been measured. It follows from perfcheck.toml, the stored baseline and the command line; what a run
// file says of itself has no say in it.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/model/baseline.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::config {

/// What a command asks for.
struct Asked {
  std::string suite;                  ///< its name; empty where no suite says what to measure
  std::vector<std::string> problems;  ///< of the suite, as perfcheck.toml writes them
  std::set<std::string> elsewhere;    ///< problems that other suites of the backend name and this one does not
  std::vector<std::string> filters;
  std::optional<model::Shard> shard;  ///< the part that is asked for; absent: all of it
  bool claimed = false;               ///< that it is this suite is what a run file says of itself
};

/// A suite's problems with {types} replaced, in the order of the file, and the names of those that have one. The name
/// of the worker's first operation, which may stand in front and is no part of ids, is left out.
std::vector<SuiteProblem> expand(Suite const& suite, std::string const& first_operation = "");

Asked asked_for(Config const& config, Suite const& suite, std::vector<std::string> filters,
                std::optional<model::Shard> shard, std::string const& first_operation = "");

/// Does one of the filters match? Without any, every case is selected.
bool selected(std::vector<std::string> const& filters, std::string const& case_id);

/// The problems of cases.
std::set<std::string> problems_of(model::Run const& run);

/// Ids of the stored cases that must have run: all of them, but for problems that only other suites name and that were
/// not accepted from this one. So a problem that left the suite is not forgotten. Where no suite says what to measure,
/// those of the problems in `there`. `there` holds the problems of which there are cases, in the form that ids have: a
/// suite may write its own in another one, which only a worker reads.
std::set<std::string> stored_cases(model::Baseline const& baseline, Asked const& asked,
                                   std::set<std::string> const& there);

/// Problems of a suite of which there is no case.
struct Lacking {
  std::vector<std::string> problems;
  /// So many of them; the others may be there, in another form.
  std::size_t count = 0;
};

/// Problems of the suite that have no case although they should: no problem in `there` can be them, and the baseline,
/// which would tell them case by case, does not know them. Filters may leave out problems, and nobody knows which of
/// those without a case: then it is empty.
Lacking lacking_problems(Asked const& asked, std::set<std::string> const& there, model::Baseline const* baseline);

}  // namespace perfcheck::config
