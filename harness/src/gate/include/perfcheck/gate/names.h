// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// [renamed] and [retired] in a decision: what counts, what is excused, and what is said about it. An entry of the
// configuration that a change is judged by counts as it stands. One that the change itself adds does not: a slow kernel
// could take a fast one's place, or disappear. docs/how-the-gate-decides.md, "Renamed and retired".
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/renames.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::gate {

/// One entry of [retired].
struct Retired {
  std::string pattern;  ///< of kernels or cases, as in glob_matches_case()
  std::string reason;
  std::string place;  ///< for messages: "perfcheck.toml:12: retired.gemm/simt/naive"
};

struct Names {
  model::Renames renamed;
  std::vector<Retired> retired;
  model::Renames proposed;        ///< `renamed`, and behind it the entries that the change adds
  std::vector<Retired> retiring;  ///< that the change adds

  bool change_renames(std::string const& case_id) const { return proposed.now(case_id) != renamed.now(case_id); }
};

/// What counts where a base build was measured beside the head: `renamed`, and of what the change adds the cases that
/// the base build measured under the old id and the head build brought a result of under the new one.
model::Renames counted(Names const& names, std::vector<model::Session> const& base,
                       std::vector<model::Session> const& head);

/// Ids that are called otherwise now: today's, and the old one.
std::map<std::string, std::string> old_ids(model::Baseline const& baseline, model::Renames const& renames);
std::map<std::string, std::string> old_ids(std::vector<model::Session> const& sessions, model::Renames const& renames);

/// Takes what is retired out of what must have run, unless it is there all the same. Returns what to say of each entry
/// that excused something.
std::vector<std::string> leave_out_retired(std::set<std::string>& scope, std::vector<Retired> const& retired,
                                           std::set<std::string> const& there);

/// Says in the decisions which cases were compared under their old ids (`old`, by today's), which renames of the
/// change's own counted, and of missing cases which did not.
void tell_names(Decisions& decisions, Names const& names, std::map<std::string, std::string> const& old);

}  // namespace perfcheck::gate
