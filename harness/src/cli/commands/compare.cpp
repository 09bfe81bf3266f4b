// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck compare: decides about a finished run against another one or the stored baseline, on any machine.
#include "baselines/naming.h"
#include "baselines/stored.h"
#include "command_line/errors.h"
#include "commands/commands.h"
#include "measuring/workbench.h"
#include "perfcheck/model/shard.h"
#include "perfcheck/store/store.h"
#include "results/finished_run.h"
#include "results/presentation.h"
#include "results/renaming.h"
#include "results/run_files.h"
#include "results/yardstick.h"

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

/// What was accepted for the device, for a word about how far both runs are behind it. One without a digest says
/// nothing.
std::optional<model::Baseline> accepted_baseline(std::filesystem::path const& folder, model::Run const& now,
                                                 Renaming& renaming) {
  std::optional<model::Baseline> accepted =
      store::read_baseline(folder, now.sessions.front().device.slug, now.worker.operation);
  return accepted && accepted->has_digest ? renaming.baseline(std::move(accepted), folder) : std::nullopt;
}

/// Every case that the earlier run measured must have run again, but for what the command leaves out.
Yardstick earlier_run(std::string const& file, model::Run base, model::Run const& now, gate::Policy const& policy,
                      std::filesystem::path const& folder, Options const& options, Renaming& renaming) {
  base = renaming.base_run(std::move(base), file);
  require_comparable(base, now);
  std::optional<model::Baseline> baseline = baseline_of(base, file);
  if (!baseline) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: nothing was measured in it; record it again", file));
  }
  Yardstick yardstick{.baseline = std::move(baseline),
                      .confirm_base = {},
                      .anchor = accepted_baseline(folder, now, renaming),
                      .scope = {},
                      .policy = policy,
                      .asked = {},
                      .lacking = {},
                      .notes = {},
                      .incomplete = {},
                      .only = {},
                      .names = {},
                      .old_ids = {}};
  for (auto const& [id, stored] : yardstick.baseline->cases) {
    if (selected(options.filters, id) && model::measures(options.shard, id)) {
      yardstick.scope.insert(id);
    }
  }
  return yardstick;
}

Yardstick stored_baseline(std::filesystem::path const& folder, model::Run const& now, gate::Policy const& policy,
                          Asked asked, Renaming& renaming) {
  std::string const& slug = now.sessions.front().device.slug;
  Yardstick yardstick = yardstick_of(
      now, renaming.baseline(trusted_baseline(folder, slug, now.worker.operation), folder), policy, std::move(asked));
  if (!yardstick.baseline) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("there is no {}; make one with perfcheck baseline accept, or name two run files",
                                   store::baseline_path(folder, slug, now.worker.operation).string()));
  }
  return yardstick;
}

/// What keeps an imported run from being decided about is said even where the policy lets the command pass: nobody
/// measures such cases again.
void add_import_notes(gate::Decisions& decisions, model::Run const& now) {
  std::vector<std::string> notes = import_notes(now);
  auto const count = [&decisions](auto const& concerned) {
    return std::count_if(decisions.cases.begin(), decisions.cases.end(), concerned);
  };
  if (auto const suspicious = count([](gate::CaseDecision const& one) { return one.wants_confirmation; })) {
    notes.push_back(
        fmt::format("{} of {} cases may have changed, and one session cannot confirm it: record several and name the "
                    "folder that holds a file for each",
                    suspicious, decisions.cases.size()));
  }
  auto const undecided = count([](gate::CaseDecision const& one) {
    return one.reason_code == "too_few_baseline_sessions" || one.reason_code == "noise_unknown";
  });
  if (undecided > 0) {
    notes.push_back(fmt::format("{} of {} cases have too few sessions to compare with: record more, a file for each",
                                undecided, decisions.cases.size()));
  }
  decisions.notes.insert(decisions.notes.begin(), notes.begin(), notes.end());
}

}  // namespace

model::ExitCode command_compare(Options const& options, Context& context) {
  Config const config = load_config(options.config, options.demote, options.change_config);
  std::string const& file = options.run_files.back();
  std::vector<model::Run> files = read_runs(file, import_options(options));
  std::optional<model::Run> base;
  if (options.run_files.size() > 1) {
    base = read_as_one_run(options.run_files.front(), import_options(options));
  }
  Renaming renaming = base ? Renaming(config.names, files, base->sessions) : Renaming::beside(config.names, files);
  files = renaming.runs(std::move(files), file);
  gate::Policy const& policy = config.backend(files.front().worker.backend).policy;
  IncompleteCases incomplete = incomplete_cases(files, policy);
  model::Run const now = gate::with_confirmation(as_one_run(file, std::move(files)));
  if (now.sessions.empty()) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: it holds no session; record it again", file));
  }
  std::filesystem::path const folder = baselines_folder(options, config);
  require_used(config.names, now.kernels, folder);
  Yardstick yardstick =
      base ? earlier_run(options.run_files.front(), std::move(*base), now, policy, folder, options, renaming)
           : stored_baseline(folder, now, policy, asked_of(now, config, options), renaming);
  renaming.apply(yardstick, now);
  yardstick.incomplete = std::move(incomplete);
  yardstick.only = options.filters;
  gate::Decisions decisions = yardstick.decide(now);
  if (!now.imported_from.empty()) {
    add_import_notes(decisions, now);
  }
  model::Run shown = now;
  for (model::Session& session : shown.sessions) {
    std::erase_if(session.cases,
                  [&](model::CaseResult const& result) { return !selected(options.filters, result.id); });
  }
  present({.run = shown,
           .decisions = &decisions,
           .demoted = yardstick.policy.demoted,
           .exit_code = decisions.exit_code,
           .command = "",
           .baseline = &*yardstick.baseline},
          options, context);
  return decisions.exit_code;
}

}  // namespace perfcheck::cli
