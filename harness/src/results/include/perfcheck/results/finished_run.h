// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Deciding about a run that was measured earlier, or elsewhere.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/gate/names.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/results/incomplete.h"
#include "perfcheck/results/missing.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace perfcheck::results {

class Renaming;

/// Options that tell what a finished run should have measured.
struct AskedOptions {
  std::string of_suite;  ///< --suite: what was to be measured; empty: what the run names
  std::vector<std::string> filters;
  std::optional<model::Shard> shard;
};

/// What a command asks of a finished run: the suite that --suite names, else the one that the run names, with the
/// command's own filters and shard. Any suite but `default` that only the run names is marked as `claimed`. There is no
/// suite if nobody knows what should have been measured: for imported runs, and if perfcheck.toml has no suite of the
/// run's name. Throws ConfigError if --suite names an unknown suite.
config::Asked asked_of(model::Run const& run, config::Config const& config, AskedOptions const& options);

/// The stored cases that a run should have measured: see stored_cases(). For an imported run, every stored case of the
/// programs in it, because other programs measure all of their benchmarks in every file.
std::set<std::string> expected_cases(model::Baseline const& baseline, model::Run const& run,
                                     config::Asked const& asked);

/// What a finished run is judged by.
struct Comparison {
  std::optional<model::Baseline> baseline;      ///< none: every measured case is no_baseline
  std::optional<model::Baseline> confirm_base;  ///< the base build, measured beside the confirmation
  std::optional<model::Baseline> anchor;        ///< the accepted baseline, if `baseline` is another build
  std::set<std::string> scope;                  ///< ids of the cases that must have run
  gate::Policy policy;
  config::Asked asked;
  config::Lacking lacking;         ///< problems without a case that the baseline does not know either
  std::vector<std::string> notes;  ///< about what could not be asked for
  /// Stored cases were left out only because of what the run says about itself: a pass is then undecided.
  bool taken_at_its_word = false;
  bool base_stands_in = false;                 ///< the base build was screened, too, and replaces `baseline`
  IncompleteCases incomplete;                  ///< cases whose results in the run file are not as they were measured
  std::vector<std::string> only;               ///< filters of the cases to decide about; empty: all of them
  gate::Names names;                           ///< [renamed] and [retired]; see Renaming::apply()
  std::map<std::string, std::string> old_ids;  ///< of what is compared with, by today's ids

  /// Throws std::invalid_argument as gate::observations_of() does.
  gate::Decisions decide(model::Run const& run) const;

 private:
  /// Decides by the numbers alone, as at this look.
  gate::Decisions by_numbers(model::Run const& run, gate::Look look) const;
};

/// A comparison with the stored baseline, as `check` makes it: what was asked for must have run. A base build that was
/// measured alongside serves for confirmation; if it was screened, too, it stands in for the baseline.
Comparison comparison_of(model::Run const& run, std::optional<model::Baseline> stored, gate::Policy const& policy,
                         config::Asked asked);

/// Decides as `check` would have, and trusts the run about its suite. Without a baseline every measured case is
/// no_baseline. Run and baseline have today's ids, as `renaming` makes them.
gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy, config::Asked asked, Renaming const& renaming);

}  // namespace perfcheck::results
