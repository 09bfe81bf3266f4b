// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/renaming.h"

#include "perfcheck/baselines/stored.h"

#include <utility>

namespace perfcheck::results {
namespace {

std::vector<model::Session> all_sessions(std::vector<model::Run> const& runs) {
  std::vector<model::Session> sessions;
  for (model::Run const& run : runs) {
    sessions.insert(sessions.end(), run.sessions.begin(), run.sessions.end());
  }
  return sessions;
}

/// Screening sessions of base builds: they stand in for the stored baseline, and so their ids count as old ones.
std::vector<model::Session> screens_of_bases(std::vector<model::Run> const& runs) {
  std::vector<model::Session> sessions;
  for (model::Run const& run : runs) {
    for (model::Session const& session : run.base_sessions) {
      if (session.purpose == model::SessionPurpose::screen) {
        sessions.push_back(session);
      }
    }
  }
  return sessions;
}

}  // namespace

Renaming::Renaming(gate::Names names, std::vector<model::Run> const& head, std::vector<model::Session> const& base)
    : names_(std::move(names)), renames_(gate::counted(names_, base, all_sessions(head))) {
  old_.merge(gate::old_ids(base, renames_));
}

Renaming Renaming::beside(gate::Names names, std::vector<model::Run> const& files) {
  return {std::move(names), files, screens_of_bases(files)};
}

model::Run Renaming::run(model::Run run, std::string const& origin) const {
  return model::renamed(std::move(run), renames_, origin);
}

std::vector<model::Run> Renaming::runs(std::vector<model::Run> runs, std::string const& origin) const {
  for (model::Run& one : runs) {
    one = run(std::move(one), origin);
  }
  return runs;
}

std::optional<model::Baseline> Renaming::baseline(std::optional<model::Baseline> baseline,
                                                  std::filesystem::path const& root) {
  if (baseline) {
    old_.merge(gate::old_ids(*baseline, renames_));
  }
  return baselines::renamed(std::move(baseline), renames_, root);
}

model::Run Renaming::base_run(model::Run base, std::string const& origin) {
  old_.merge(gate::old_ids(base.sessions, renames_));
  return run(std::move(base), origin);
}

void Renaming::apply(Comparison& comparison, model::Run const& now) const {
  std::set<std::string> there;
  for (model::Session const& session : now.sessions) {
    for (model::CaseResult const& result : session.cases) {
      there.insert(result.id);
    }
  }
  std::vector<std::string> const notes = gate::leave_out_retired(comparison.scope, names_.retired, there);
  comparison.notes.insert(comparison.notes.end(), notes.begin(), notes.end());
  comparison.policy.renamed = renames_;
  comparison.names = names_;
  comparison.old_ids = old_;
}

gate::Decisions under_ids_of(model::Run const& run, gate::Decisions decisions, model::Renames const& renames) {
  std::map<std::string, std::string> const old = gate::old_ids(run.sessions, renames);
  for (gate::CaseDecision& decision : decisions.cases) {
    if (auto const found = old.find(decision.id); found != old.end()) {
      decision.id = found->second;
    }
  }
  return decisions;
}

}  // namespace perfcheck::results
