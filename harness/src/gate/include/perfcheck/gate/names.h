// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How [renamed] and [retired] affect a decision, and what the notes say about them. Entries of the configuration by
// which a change is judged always count. Entries that the change itself adds do not: with them, a slow kernel could
// take a fast one's place, or disappear. See docs/how-the-gate-decides.md, "Renamed and retired".
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
  model::Renames proposed;        ///< `renamed`, followed by the entries that the change adds
  std::vector<Retired> retiring;  ///< the entries that the change adds

  bool change_renames(std::string const& case_id) const { return proposed.now(case_id) != renamed.now(case_id); }
};

/// The renames that count where a base build was measured beside the head: `renamed`, and those that the change adds,
/// limited to cases that the base build measured under the old id and for which the head build has a result under the
/// new one.
model::Renames counted(Names const& names, std::vector<model::Session> const& base,
                       std::vector<model::Session> const& head);

/// Cases that were renamed: the old id by the new one.
std::map<std::string, std::string> old_ids(model::Baseline const& baseline, model::Renames const& renames);
std::map<std::string, std::string> old_ids(std::vector<model::Session> const& sessions, model::Renames const& renames);

/// Removes retired cases from `scope`, the cases that must run, unless they are in `there`, the cases that ran anyway.
/// Returns a note for each entry that excused a case.
std::vector<std::string> leave_out_retired(std::set<std::string>& scope, std::vector<Retired> const& retired,
                                           std::set<std::string> const& there);

/// Adds to the decisions which cases were compared under their old ids (`old`, by new id), which of the renames that
/// the change adds counted, and, for missing cases, why the change's own entry did not.
void tell_names(Decisions& decisions, Names const& names, std::map<std::string, std::string> const& old);

}  // namespace perfcheck::gate
