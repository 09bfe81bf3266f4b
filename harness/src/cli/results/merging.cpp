// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "results/merging.h"

#include "baselines/stored.h"
#include "command_line/errors.h"
#include "histories/history_place.h"
#include "measuring/workbench.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/store/store.h"
#include "results/finished_run.h"
#include "results/presentation.h"
#include "results/renaming.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::cli {
namespace {

/// Shards that were not confirmed (of `run --shard --sessions N`) screen with their first session, each for itself.
std::vector<model::Run> with_screens(std::vector<model::Run> shards) {
  bool const confirmed = std::ranges::any_of(shards, [](model::Run const& shard) {
    return std::ranges::any_of(shard.sessions, [](model::Session const& session) {
      return session.purpose == model::SessionPurpose::confirm;
    });
  });
  if (!confirmed) {
    for (model::Run& shard : shards) {
      shard = gate::with_confirmation(std::move(shard));
    }
  }
  return shards;
}

}  // namespace

Whole merged(std::vector<model::Run> shards, Config const& config) {
  try {
    IncompleteCases incomplete;
    if (!shards.empty()) {
      incomplete = incomplete_cases(Renaming::beside(config.names, shards).runs(shards, "a shard"),
                                    config.backend(shards.front().worker.backend).policy);
    }
    return {model::merge(with_screens(std::move(shards))), std::move(incomplete)};
  } catch (std::invalid_argument const& error) {
    throw UsageError(fmt::format("merge: {}", error.what()));
  }
}

namespace {

/// A part that nobody measured must not pass: its cases of the baseline are missing, and of its new ones nobody knows.
void tell_missing(gate::Decisions& decisions, model::MergedRun const& whole) {
  if (whole.missing.empty()) {
    return;
  }
  decisions.notes.insert(decisions.notes.begin(),
                         fmt::format("shard{} {} of {} brought no run file: what {} should have measured is missing",
                                     whole.missing.size() == 1 ? "" : "s", fmt::join(whole.missing, ", "),
                                     whole.run.shard->count, whole.missing.size() == 1 ? "it" : "they"));
  decisions.exit_code = model::worse(decisions.exit_code, model::ExitCode::broken);
}

}  // namespace

model::ExitCode decide_merged(Whole const& whole, Config const& config, std::optional<history::History>& history,
                              Options const& options, Context& context) {
  std::filesystem::path const folder = baselines_folder(options, config);
  Renaming renaming = Renaming::beside(config.names, {whole.run});
  model::Run const run = renaming.run(whole.run, "the merged run");
  auto const baseline =
      renaming.baseline(trusted_baseline(folder, run.sessions.front().device.slug, run.worker.operation), folder);
  Asked asked = asked_of(run, config, options);
  asked.shard.reset();  // --fan-out names the whole
  Yardstick yardstick = yardstick_of(run, baseline, config.backend(run.worker.backend).policy, std::move(asked));
  yardstick.incomplete = whole.incomplete;
  renaming.apply(yardstick, run);
  gate::Decisions decisions = yardstick.decide(run);
  tell_missing(decisions, whole);
  if (!options.out.empty()) {
    store::write_run(options.out, whole.run);
  }
  present({.run = run,
           .decisions = &decisions,
           .demoted = yardstick.policy.demoted,
           .exit_code = decisions.exit_code,
           .command = "check",
           .baseline = yardstick.baseline ? &*yardstick.baseline : nullptr},
          options, context);
  if (history && whole.missing.empty()) {
    keep_merged(*history, whole.run, under_ids_of(whole.run, decisions, renaming.renames()), context);
  }
  return decisions.exit_code;
}

}  // namespace perfcheck::cli
