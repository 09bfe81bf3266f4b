// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck compare: decides about two finished runs, on any machine.
#include "clock.h"
#include "commands.h"
#include "errors.h"
#include "plan.h"
#include "presentation.h"
#include "store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::cli {
namespace {

/// The part of a run that can stand as a baseline: what it measured. A case that was broken before has none.
model::Run measured_part(model::Run run) {
  for (model::Session& session : run.sessions) {
    std::erase_if(session.cases, [](model::CaseResult const& result) { return !model::summarize(result); });
    for (model::CaseResult& result : session.cases) {
      result.injected_percent = 0;
    }
  }
  std::erase_if(run.sessions, [](model::Session const& session) { return session.cases.empty(); });
  run.injected.clear();
  return run;
}

model::Baseline baseline_of(model::Run const& run, std::string const& file) {
  model::Run const usable = measured_part(run);
  if (usable.sessions.empty()) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: nothing was measured in it; record it again", file));
  }
  store::AcceptOptions accept{.who = "compare", .when = utc_now(), .why = file, .replace = false, .allow_dirty = true};
  return store::accept(std::nullopt, {usable}, accept);
}

void require_comparable(model::Run const& base, model::Run const& now) {
  auto const identity = [](model::Run const& run) {
    return fmt::format("{} on {}", run.worker.operation,
                       run.sessions.empty() ? "nothing" : run.sessions.front().device.slug);
  };
  if (identity(base) != identity(now)) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("the runs cannot be compared: {} against {}; record both on devices of one model",
                                   identity(base), identity(now)));
  }
}

}  // namespace

model::ExitCode command_compare(Options const& options, Context& context) {
  Config const config = load_config(options.config);
  std::string const &base_file = options.run_files[0], &new_file = options.run_files[1];
  model::Run const base = store::read_run(base_file);
  model::Run const now = gate::with_confirmation(store::read_run(new_file));
  require_comparable(base, now);
  model::Baseline const baseline = baseline_of(base, base_file);

  std::set<std::string> scope;
  for (auto const& [id, stored] : baseline.cases) {
    if (selected(now.filters, id) && selected(options.filters, id)) {
      scope.insert(id);
    }
  }
  gate::Observations seen = gate::observations_of(now);
  std::erase_if(seen.cases, [&](gate::Observation const& one) { return !selected(options.filters, one.id); });
  gate::Policy const& policy = config.backend(now.worker.backend).policy;
  gate::Decisions const decisions = gate::decide(&baseline, seen, {.case_ids = {scope.begin(), scope.end()}}, policy);
  model::Run shown = now;
  for (model::Session& session : shown.sessions) {
    std::erase_if(session.cases,
                  [&](model::CaseResult const& result) { return !selected(options.filters, result.id); });
  }
  present(shown, decisions, policy, options, context, "");
  return decisions.exit_code;
}

}  // namespace perfcheck::cli
