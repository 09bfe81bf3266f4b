// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares two builds on one device: screens them in pairs of fresh processes, then confirms in further fresh pairs.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/measuring/base_build.h"

#include <functional>
#include <set>

namespace perfcheck::measuring {

/// scope_of() for a check beside a base build. The ids are those that the cases have in the plan or in the baseline.
/// Filter and shard, however, select by the ids that the change proposes, whether or not its renames count in the end.
std::vector<std::string> scope_of_builds(Workbench const& bench, std::optional<model::Baseline> const& baseline);

class AbComparison {
 public:
  /// `scope` holds the ids of the cases that must run, whatever the base build has: see scope_of_builds(). `anchor` is
  /// the accepted baseline, used to report how much slower than it the new build is; may be null.
  AbComparison(Workbench const& bench, Options const& options, Measurement& head, BaseBuild& base,
               std::vector<std::string> const& scope, model::Baseline const* anchor);

  /// Measures and decides. Cases of the base build that the head build lacks are `missing`. New cases are
  /// `no_baseline`, which does not fail here, because there is nothing to record.
  gate::Decisions run();
  /// The policy that the decision was made with.
  gate::Policy const& policy() const { return policy_; }

 private:
  gate::Decisions decide(gate::Look look);

  Workbench const& bench_;
  Options const& options_;
  Measurement& head_;
  BaseBuild& base_;
  std::set<std::string> scope_;    ///< under the ids that cases have in plans and baseline
  std::set<std::string> planned_;  ///< ids in the head build's plan
  model::Baseline const* anchor_;
  gate::Policy policy_;
};

/// gate::confirm() for the plan's cases: `measure(cases, label, sessions)` measures, `decide(look)` decides.
gate::Decisions confirm(
    gate::Decisions const& decisions, Plan const& plan, std::vector<gate::PlannedLook> const& looks,
    std::function<void(std::vector<protocol::PlannedCase> const&, std::string const&, int)> const& measure,
    std::function<gate::Decisions(gate::Look)> const& decide);

}  // namespace perfcheck::measuring
