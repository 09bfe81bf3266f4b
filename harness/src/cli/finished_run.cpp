// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "finished_run.h"

#include "plan.h"

namespace perfcheck::cli {

namespace {

/// The program that an imported case is of: its id up to the first '/'.
std::string program_of(std::string const& case_id) { return case_id.substr(0, case_id.find('/')); }

std::string problem_of(std::string const& case_id) { return model::split_case_id(case_id).problem; }

/// What `part` makes of the ids of the run's cases.
std::set<std::string> parts_of(model::Run const& run, std::string (*part)(std::string const&)) {
  std::set<std::string> parts;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      parts.insert(part(result.id));
    }
  }
  return parts;
}

}  // namespace

std::set<std::string> expected_cases(model::Baseline const& baseline, model::Run const& run) {
  std::set<std::string> ids;
  if (run.imported_from.empty()) {
    ids = stored_cases(baseline, parts_of(run, problem_of));
  } else {
    std::set<std::string> const programs = parts_of(run, program_of);
    for (auto const& [id, stored] : baseline.cases) {
      if (programs.contains(program_of(id))) {
        ids.insert(id);
      }
    }
  }
  std::erase_if(ids, [&](std::string const& id) { return !selected(run.filters, id); });
  return ids;
}

gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy) {
  model::Run const now = gate::with_confirmation(run);
  gate::Scope scope;
  if (baseline) {
    std::set<std::string> const ids = expected_cases(*baseline, now);
    scope.case_ids.assign(ids.begin(), ids.end());
  }
  return gate::decide(baseline ? &*baseline : nullptr, gate::observations_of(now), scope, policy);
}

}  // namespace perfcheck::cli
