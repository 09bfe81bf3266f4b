// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Two builds on one device: screened in pairs of fresh processes, confirmed in fresh pairs.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/measuring/base_build.h"

#include <functional>
#include <set>

namespace perfcheck::measuring {

/// scope_of() where a base build is measured beside, under the ids that cases have where they come from: a filter and a
/// shard select by what the change calls a case, whether that counts in the end or not.
std::vector<std::string> scope_of_builds(Workbench const& bench, std::optional<model::Baseline> const& baseline);

class AbComparison {
 public:
  /// `scope` holds the ids of the cases that must have run, whatever the base build has: scope_of_builds(). `anchor` is
  /// what was accepted, to tell how far the new build is behind it; may be null.
  AbComparison(Workbench const& bench, Options const& options, Measurement& head, BaseBuild& base,
               std::vector<std::string> const& scope, model::Baseline const* anchor);

  /// Measures and decides. Cases of the base build that the head build lacks are `missing`, new ones have no baseline
  /// and pass as `no_baseline`, which does not fail here: there is nothing to record.
  gate::Decisions run();
  /// The policy that the decision was made with.
  gate::Policy const& policy() const { return policy_; }

 private:
  gate::Decisions decide(gate::Look look);

  Workbench const& bench_;
  Options const& options_;
  Measurement& head_;
  BaseBuild& base_;
  std::set<std::string> scope_;    ///< under the ids that cases have where they come from
  std::set<std::string> planned_;  ///< of the head build
  model::Baseline const* anchor_;
  gate::Policy policy_;
};

/// gate::confirm() with the plan's cases: `measure(cases, label, sessions)` measures, `decide(look)` decides.
gate::Decisions confirm(
    gate::Decisions const& decisions, Plan const& plan, std::vector<gate::PlannedLook> const& looks,
    std::function<void(std::vector<protocol::PlannedCase> const&, std::string const&, int)> const& measure,
    std::function<gate::Decisions(gate::Look)> const& decide);

}  // namespace perfcheck::measuring
