// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/merging.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/presentation.h"
#include "perfcheck/results/renaming.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::results {
namespace {

/// Shards without confirmation (of `run --shard --sessions N`) screen with their first session, each for itself.
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

Whole merged(std::vector<model::Run> shards, config::Config const& config) {
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

/// A shard that nobody measured must not pass: its stored cases are missing, and of its new ones nobody knows.
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

model::ExitCode decide_merged(Whole const& whole, config::Config const& config,
                              std::optional<history::History>& history, MergeOptions const& options, Context& context) {
  std::filesystem::path const folder = config::baselines_folder(options.baselines, config);
  Renaming renaming = Renaming::beside(config.names, {whole.run});
  model::Run const run = renaming.run(whole.run, "the merged run");
  auto const baseline =
      renaming.baseline(baselines::trusted_baseline(folder, run.sessions.front().device.slug, run.worker), folder);
  config::Asked asked = asked_of(run, config, options.asked);
  asked.shard.reset();  // here, --fan-out names the whole
  Comparison comparison = comparison_of(run, baseline, config.backend(run.worker.backend).policy, std::move(asked));
  comparison.incomplete = whole.incomplete;
  renaming.apply(comparison, run);
  gate::Decisions decisions = comparison.decide(run);
  tell_missing(decisions, whole);
  write_run(whole.run, options.out, options.show);
  present({.run = run,
           .decisions = &decisions,
           .demoted = comparison.policy.demoted,
           .exit_code = decisions.exit_code,
           .command = "check",
           .again = options.again,
           .baseline = comparison.baseline ? &*comparison.baseline : nullptr},
          options.show, context);
  if (history && whole.missing.empty()) {
    trends::keep_merged(*history, whole.run, under_ids_of(whole.run, decisions, renaming.renames()), context);
  }
  return decisions.exit_code;
}

}  // namespace perfcheck::results
