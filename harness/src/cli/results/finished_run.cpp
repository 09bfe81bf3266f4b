// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "results/finished_run.h"

#include "measuring/plan.h"
#include "perfcheck/model/shard.h"
#include "results/yardstick.h"

#include <algorithm>
#include <utility>

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
  std::erase_if(ids,
                [&](std::string const& id) { return !selected(run.filters, id) || !model::measures(run.shard, id); });
  return ids;
}

namespace {

/// What the base build measured for a purpose.
std::optional<model::Baseline> base_part(model::Run run, model::SessionPurpose purpose) {
  run.sessions = std::exchange(run.base_sessions, {});
  std::erase_if(run.sessions, [&](model::Session const& session) { return session.purpose != purpose; });
  return baseline_of(std::move(run), "the base build");
}

int shard_number(std::string const& case_id, model::Run const& run) {
  return run.shard ? model::shard_of(case_id, run.shard->count) : 1;
}

/// Puts the base build's cases into `baseline`, in the place of all of the shards that screened against it.
void stand_in(std::optional<model::Baseline>& baseline, model::Baseline screen, model::Run const& run) {
  if (!baseline) {
    baseline = std::move(screen);
    return;
  }
  std::set<int> shards;
  for (auto const& [id, base] : screen.cases) {
    shards.insert(shard_number(id, run));
  }
  std::erase_if(baseline->cases, [&](auto const& entry) { return shards.contains(shard_number(entry.first, run)); });
  auto const renamed = [](std::string const& session) { return "base-" + session; };
  for (model::BaselineSession& session : screen.sessions) {
    session.id = renamed(session.id);
    baseline->sessions.push_back(std::move(session));
  }
  for (auto& [id, base] : screen.cases) {
    std::ranges::transform(base.session, base.session.begin(), renamed);
    baseline->cases[id] = std::move(base);
  }
}

std::size_t fewest_sessions(model::Baseline const& baseline) {
  std::size_t fewest = baseline.sessions.size();
  for (auto const& [id, stored] : baseline.cases) {
    fewest = std::min(fewest, stored.session.size());
  }
  return fewest;
}

}  // namespace

Yardstick yardstick_of(model::Run const& run, std::optional<model::Baseline> stored, gate::Policy const& policy) {
  Yardstick yardstick{.baseline = std::move(stored),
                      .confirm_base = base_part(run, model::SessionPurpose::confirm),
                      .scope = {},
                      .policy = policy};
  if (std::optional<model::Baseline> screen = base_part(run, model::SessionPurpose::screen)) {
    // As in a duel: it was measured here and now, and what it lacks is new.
    yardstick.policy.min_baseline_sessions =
        std::min(policy.min_baseline_sessions, static_cast<int>(fewest_sessions(*screen)));
    yardstick.policy.demoted.push_back(model::Verdict::no_baseline);
    stand_in(yardstick.baseline, std::move(*screen), run);
  }
  if (yardstick.baseline) {
    yardstick.scope = expected_cases(*yardstick.baseline, run);
  }
  return yardstick;
}

gate::Decisions Yardstick::decide(gate::Observations seen) const {
  seen.confirm_base = confirm_base ? &*confirm_base : nullptr;
  return gate::decide(baseline ? &*baseline : nullptr, seen, {.case_ids = {scope.begin(), scope.end()}}, policy);
}

gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy) {
  model::Run const now = gate::with_confirmation(run);
  return yardstick_of(now, baseline, policy).decide(gate::observations_of(now));
}

}  // namespace perfcheck::cli
