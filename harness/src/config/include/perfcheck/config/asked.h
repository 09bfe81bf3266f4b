// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which cases must have been measured. perfcheck.toml, the stored baseline and the command line determine that; what a
// run file says about itself does not count.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/model/renames.h"

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
  std::vector<std::string> kernels;   ///< of the suite, see takes()
  model::Renames renames;             ///< what kernels were called before
  std::vector<std::string> filters;
  std::optional<model::Shard> shard;  ///< the part that is asked for; absent: all of it
  bool claimed = false;               ///< only the run file itself says that it is of this suite
};

/// In front of a pattern of Suite::kernels: cases that match it take no part.
inline constexpr char kLeavesOut = '!';

/// Does a case take part in a suite with these `kernels`? The last of them that matches says so; without any, all do.
/// An entry matches that matches one of `ids`: the case's id today, and those that it had.
bool takes(std::vector<std::string> const& kernels, std::vector<std::string> const& ids);

/// A suite's problems with {types} replaced, in the order of the file, with their names if they have any. Drops the
/// name of the worker's first operation in front of a problem, because ids do not have it.
std::vector<SuiteProblem> expand(Suite const& suite, std::string const& first_operation = "");

Asked asked_for(Config const& config, Suite const& suite, std::vector<std::string> filters,
                std::optional<model::Shard> shard, std::string const& first_operation = "");

/// Does one of the filters match? Without any, every case is selected.
bool selected(std::vector<std::string> const& filters, std::string const& case_id);

/// The problems of all cases of the run.
std::set<std::string> problems_of(model::Run const& run);

/// Ids of the stored cases that must have run, as far as filters and shard select them: those whose problem is in
/// `there`, and for a suite all others, too, except problems that only other suites name and kernels that take no part
/// in the suite, unless they were accepted from it. So what was removed from the suite is not forgotten. `there` holds
/// the problems that have cases, in the form that ids have: a suite may write a problem in another form, which only a
/// worker can read.
std::set<std::string> stored_cases(model::Baseline const& baseline, Asked const& asked,
                                   std::set<std::string> const& there);

/// Problems of a suite that have no case.
struct Lacking {
  std::vector<std::string> problems;
  /// How many of them have none for certain; the others may have cases under another form of the problem.
  std::size_t count = 0;
};

/// Problems of the suite that have no case although they should: no problem in `there` can be another form of them, and
/// they are not in the baseline, which would report them case by case. Filters may leave out problems, and then nobody
/// knows which of those without a case should have one: the result is empty.
Lacking lacking_problems(Asked const& asked, std::set<std::string> const& there, model::Baseline const* baseline);

}  // namespace perfcheck::config
