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

/// What a command asks of a finished run.
struct AskedOptions {
  std::string of_suite;  ///< --suite: what was to be measured; empty: what the run names
  std::vector<std::string> filters;
  std::optional<model::Shard> shard;
};

/// What a command asks of a finished run: the suite that --suite names, else the one that the run says it is of (and
/// whose word is not taken for more than the suite `default`), with the command's own filters and shard. No suite where
/// nobody knows what should have been measured: of imported runs, and where perfcheck.toml has no suite of the run's
/// name. Throws ConfigError for a --suite that there is not.
config::Asked asked_of(model::Run const& run, config::Config const& config, AskedOptions const& options);

/// The stored cases that a run should have measured: see stored_cases(). Other programs measure all of their benchmarks
/// in every file: there, every stored case of the programs in it.
std::set<std::string> expected_cases(model::Baseline const& baseline, model::Run const& run,
                                     config::Asked const& asked);

/// What a finished run is judged by.
struct Comparison {
  std::optional<model::Baseline> baseline;      ///< none: every measured case is no_baseline
  std::optional<model::Baseline> confirm_base;  ///< the base build, measured beside the confirmation
  std::optional<model::Baseline> anchor;        ///< what was accepted, where `baseline` is another build
  std::set<std::string> scope;                  ///< ids of the cases that must have run
  gate::Policy policy;
  config::Asked asked;
  config::Lacking lacking;         ///< problems without a case that the baseline does not tell case by case
  std::vector<std::string> notes;  ///< about what could not be asked for
  /// Stored cases were left out for no other reason than what the run says of itself: nothing that passes is green.
  bool taken_at_its_word = false;
  bool base_stands_in = false;                 ///< `baseline` is the base build's screen, of all that it measured
  IncompleteCases incomplete;                  ///< cases that the run file does not hold as they were measured
  std::vector<std::string> only;               ///< filters of the cases to decide about; empty: all of them
  gate::Names names;                           ///< [renamed] and [retired]; see Renaming::apply()
  std::map<std::string, std::string> old_ids;  ///< of what is compared with, by today's

  /// Throws std::invalid_argument as gate::observations_of() does.
  gate::Decisions decide(model::Run const& run) const;

 private:
  /// What the numbers say, as at a look.
  gate::Decisions by_numbers(model::Run const& run, gate::Look look) const;
};

/// The stored baseline, as for `check`: what was asked for must have run. The base build that was measured beside it
/// confirms, and stands in for the baseline where it was screened, too.
Comparison comparison_of(model::Run const& run, std::optional<model::Baseline> stored, gate::Policy const& policy,
                         config::Asked asked);

/// As `check` would have decided, whose word about its suite is taken. Without a baseline every measured case is
/// no_baseline. Run and baseline are under today's ids, as `renaming` makes them.
class Renaming;
gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy, config::Asked asked, Renaming const& renaming);

}  // namespace perfcheck::results
