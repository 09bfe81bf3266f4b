// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck compare: decides about a finished run against another one or the stored baseline, on any machine.
#include "commands.h"
#include "errors.h"
#include "plan.h"
#include "presentation.h"
#include "store/store.h"
#include "workbench.h"
#include "yardstick.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::cli {
namespace {

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

/// What a run is judged by: sessions of an earlier run or of the stored baseline, and the cases that must have run.
struct Yardstick {
  model::Baseline baseline;
  std::set<std::string> scope;
};

/// Every case that the earlier run measured must have run again.
Yardstick earlier_run(std::string const& file, model::Run const& now) {
  model::Run const base = store::read_run(file);
  require_comparable(base, now);
  std::optional<model::Baseline> baseline = baseline_of(base, file);
  if (!baseline) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: nothing was measured in it; record it again", file));
  }
  Yardstick yardstick{.baseline = std::move(*baseline), .scope = {}};
  for (auto const& [id, stored] : yardstick.baseline.cases) {
    yardstick.scope.insert(id);
  }
  return yardstick;
}

/// As for `check`: stored cases of problems that the run concerned itself with must have run.
Yardstick stored_baseline(std::filesystem::path const& folder, model::Run const& now) {
  std::string const& slug = now.sessions.front().device.slug;
  std::optional<model::Baseline> baseline = store::read_baseline(folder, slug, now.worker.operation);
  if (!baseline) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("there is no {}; make one with perfcheck baseline accept, or name two run files",
                                   store::baseline_path(folder, slug, now.worker.operation).string()));
  }
  std::set<std::string> problems;
  for (model::Session const& session : now.sessions) {
    for (model::CaseResult const& result : session.cases) {
      problems.insert(model::split_case_id(result.id).problem);
    }
  }
  std::set<std::string> scope = stored_cases(*baseline, problems);
  return {.baseline = std::move(*baseline), .scope = std::move(scope)};
}

}  // namespace

model::ExitCode command_compare(Options const& options, Context& context) {
  Config const config = load_config(options.config);
  model::Run const now = gate::with_confirmation(store::read_run(options.run_files.back()));
  if (now.sessions.empty()) {
    throw CommandError(model::ExitCode::broken,
                       fmt::format("{}: it holds no session; record it again", options.run_files.back()));
  }
  Yardstick yardstick = options.run_files.size() > 1 ? earlier_run(options.run_files.front(), now)
                                                     : stored_baseline(baselines_folder(options, config), now);
  std::erase_if(yardstick.scope,
                [&](std::string const& id) { return !selected(now.filters, id) || !selected(options.filters, id); });
  gate::Observations seen = gate::observations_of(now);
  std::erase_if(seen.cases, [&](gate::Observation const& one) { return !selected(options.filters, one.id); });
  gate::Policy const& policy = config.backend(now.worker.backend).policy;
  gate::Decisions const decisions =
      gate::decide(&yardstick.baseline, seen, {.case_ids = {yardstick.scope.begin(), yardstick.scope.end()}}, policy);
  model::Run shown = now;
  for (model::Session& session : shown.sessions) {
    std::erase_if(session.cases,
                  [&](model::CaseResult const& result) { return !selected(options.filters, result.id); });
  }
  present(shown, decisions, policy, options, context, "");
  return decisions.exit_code;
}

}  // namespace perfcheck::cli
