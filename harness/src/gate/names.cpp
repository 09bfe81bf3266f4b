// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/names.h"

#include "perfcheck/gate/glob.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gate {
namespace {

Retired const* entry_for(std::vector<Retired> const& retired, std::string const& case_id) {
  auto const found =
      std::ranges::find_if(retired, [&](Retired const& entry) { return glob_matches_case(entry.pattern, case_id); });
  return found == retired.end() ? nullptr : &*found;
}

/// "gemm/a is gemm/b"; the whole case ids where only the problem was renamed.
std::string change_of(std::string const& before, std::string const& now) {
  std::string const old_kernel = model::split_case_id(before).kernel, kernel = model::split_case_id(now).kernel;
  return old_kernel == kernel ? fmt::format("{} is {}", before, now) : fmt::format("{} is {}", old_kernel, kernel);
}

std::string cases_text(int count) { return fmt::format("{} case{}", count, count == 1 ? "" : "s"); }

/// Explains why an entry that the change adds does not excuse a missing case; does nothing where there is no such
/// entry.
void explain_missing(CaseDecision& decision, Names const& names) {
  if (std::string const now = names.proposed.now(decision.id); now != decision.id) {
    decision.reason_code = "rename_not_measured";
    decision.reason = fmt::format(
        "the change calls it {} ({}), which counts only where a base build measures it under its old id beside the "
        "head "
        "build's: perfcheck ab, or check --base or --base-ref",
        now, names.proposed.place_of(decision.id));
  } else if (Retired const* const entry = entry_for(names.retiring, decision.id)) {
    decision.reason_code = "retired_by_the_change";
    decision.reason = fmt::format(
        "the change retires it ({}: {}), which counts once the branch that it goes to says so: whoever may move "
        "baselines accepts that (docs/ci.md)",
        entry->place, entry->reason);
  }
}

}  // namespace

model::Renames counted(Names const& names, std::vector<model::Session> const& base,
                       std::vector<model::Session> const& head) {
  std::set<std::string> brought;
  for (model::Session const& session : head) {
    for (model::CaseResult const& result : session.cases) {
      if (result.status != model::CaseStatus::skipped) {
        brought.insert(result.id);
      }
    }
  }
  std::set<std::string> measured;
  for (model::Session const& session : base) {
    for (model::CaseResult const& result : session.cases) {
      if (result.status == model::CaseStatus::measured && names.change_renames(result.id) &&
          brought.contains(names.proposed.now(result.id))) {
        measured.insert(names.renamed.now(result.id));
      }
    }
  }
  return names.proposed.limited(names.renamed.entries().size(), std::move(measured));
}

std::map<std::string, std::string> old_ids(model::Baseline const& baseline, model::Renames const& renames) {
  std::map<std::string, std::string> old;
  for (auto const& [id, stored] : baseline.cases) {
    if (std::string now = renames.now(id); now != id) {
      old.emplace(std::move(now), id);
    }
  }
  return old;
}

std::map<std::string, std::string> old_ids(std::vector<model::Session> const& sessions, model::Renames const& renames) {
  std::map<std::string, std::string> old;
  for (model::Session const& session : sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (std::string now = renames.now(result.id); now != result.id) {
        old.emplace(std::move(now), result.id);
      }
    }
  }
  return old;
}

std::vector<std::string> leave_out_retired(std::set<std::string>& scope, std::vector<Retired> const& retired,
                                           std::set<std::string> const& there) {
  std::map<Retired const*, int> excused;
  std::erase_if(scope, [&](std::string const& id) {
    Retired const* const entry = there.contains(id) ? nullptr : entry_for(retired, id);
    if (entry != nullptr) {
      ++excused[entry];
    }
    return entry != nullptr;
  });
  std::vector<std::string> notes;
  for (auto const& [entry, count] : excused) {
    notes.push_back(fmt::format("retired: {} ({}): {} need not run", entry->pattern, entry->reason, cases_text(count)));
  }
  return notes;
}

void tell_names(Decisions& decisions, Names const& names, std::map<std::string, std::string> const& old) {
  std::map<std::string, int> changes;  // renames that the change adds, with the number of their cases
  for (CaseDecision& decision : decisions.cases) {
    if (auto const found = old.find(decision.id); found != old.end()) {
      decision.renamed_from = found->second;
      if (names.renamed.now(found->second) != decision.id) {
        ++changes[change_of(found->second, decision.id)];
      }
    }
    if (decision.verdict == model::Verdict::missing) {
      explain_missing(decision, names);
    }
  }
  for (auto const& [change, count] : changes) {
    decisions.notes.push_back(
        fmt::format("renamed by this change: {} now; {}, the base build's under the old id against the head build's",
                    change, cases_text(count)));
  }
}

}  // namespace perfcheck::gate
