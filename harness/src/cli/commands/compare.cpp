// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck compare: decides about a finished run against another one or the stored baseline, on any machine.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/baselines/naming.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/results/earlier_run.h"
#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/renaming.h"
#include "perfcheck/results/run_files.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace perfcheck::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> run_files;
  results::AskedOptions asked;
  importing::ImportOptions foreign;
  std::string baselines;
  std::vector<std::string> demote;
  std::string change_config;
  results::ShowOptions show;
};

results::Comparison stored_baseline(std::filesystem::path const& folder, model::Run const& now,
                                    gate::Policy const& policy, config::Asked asked, results::Renaming& renaming) {
  std::string const& slug = now.sessions.front().device.slug;
  results::Comparison comparison = results::comparison_of(
      now, renaming.baseline(baselines::trusted_baseline(folder, slug, now.worker), folder), policy, std::move(asked));
  if (!comparison.baseline) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("there is no {}; make one with perfcheck baseline accept, or name two run files",
                                   store::baseline_path(folder, slug, now.worker.operation).string()));
  }
  return comparison;
}

/// Adds notes about what keeps an imported run from being decided about, even if the policy lets the command pass:
/// nobody measures such cases again.
void add_import_notes(gate::Decisions& decisions, model::Run const& now) {
  std::vector<std::string> notes = results::import_notes(now);
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

model::ExitCode run_compare(CompareOptions const& options, Context& context) {
  results::prepare_results(options.show);
  config::Config const config = config::load_config(context.config, options.demote, options.change_config);
  std::string const& file = options.run_files.back();
  std::vector<model::Run> files = results::read_runs(file, options.foreign);
  std::optional<model::Run> base;
  if (options.run_files.size() > 1) {
    base = results::read_as_one_run(options.run_files.front(), options.foreign);
  }
  results::Renaming renaming =
      base ? results::Renaming(config.names, files, base->sessions) : results::Renaming::beside(config.names, files);
  gate::Policy const& policy = config.backend(files.front().worker.backend).policy;
  results::IncompleteCases incomplete = results::incomplete_cases(renaming.runs(files, file), policy);
  model::Run const measured = gate::with_confirmation(results::as_one_run(file, std::move(files)));
  if (measured.sessions.empty()) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: it holds no session; record it again", file));
  }
  model::Run const now = renaming.run(measured, file);
  std::filesystem::path const folder = config::baselines_folder(options.baselines, config);
  baselines::require_used(config, now.kernels, folder);
  results::Comparison comparison =
      base ? results::earlier_run(options.run_files.front(), std::move(*base), now, policy, folder, options.asked,
                                  renaming)
           : stored_baseline(folder, now, policy, results::asked_of(now, config, options.asked), renaming);
  renaming.apply(comparison, now);
  comparison.incomplete = std::move(incomplete);
  comparison.only = options.asked.filters;
  gate::Decisions decisions = comparison.decide(now);
  if (!now.imported_from.empty()) {
    add_import_notes(decisions, now);
  }
  model::Run shown = now;
  for (model::Session& session : shown.sessions) {
    std::erase_if(session.cases,
                  [&](model::CaseResult const& result) { return !config::selected(options.asked.filters, result.id); });
  }
  results::write_run(measured, "", options.show);
  results::present({.run = shown,
                    .decisions = &decisions,
                    .demoted = comparison.policy.demoted,
                    .exit_code = decisions.exit_code,
                    .command = "",
                    .baseline = &*comparison.baseline},
                   options.show, context);
  return decisions.exit_code;
}

}  // namespace

void add_compare(CommandLine& line) {
  auto [sub, options] = line.add("compare", "Judge a finished run; needs no device", run_compare);
  sub->add_option("runs", options.run_files,
                  "the run to decide about, after an earlier one to compare with (default: the stored baseline); each "
                  "a file, or a folder with a file per session")
      ->expected(1, 2)
      ->required()
      ->type_name("[BASE] NEW");
  add_of_suite(sub, options.asked.of_suite);
  add_filter(sub, options.asked.filters);
  add_shard(sub, options.asked.shard, "only this part of the cases had to be measured (default: all of them)");
  add_import(sub, options.foreign);
  add_baselines(sub, options.baselines);
  add_demote(sub, options.demote, options.change_config);
  add_results(sub, options.show);
  sub->footer(
      "Record with several sessions: perfcheck run --sessions 5 --out FILE. JSON of Google Benchmark and NVBench is "
      "read "
      "too.");
}

}  // namespace perfcheck::cli
