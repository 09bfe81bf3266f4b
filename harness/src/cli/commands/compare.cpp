// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck compare: decides about a finished run against another one or the stored baseline, on any machine.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/shard.h"
#include "perfcheck/results/as_baseline.h"
#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/run_files.h"
#include "perfcheck/store/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> run_files;
  results::AskedOptions asked;
  importing::ImportOptions foreign;
  std::string baselines;
  std::vector<std::string> demote;
  results::ShowOptions show;
};

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
std::optional<model::Baseline> accepted_baseline(std::filesystem::path const& folder, model::Run const& now) {
  std::optional<model::Baseline> accepted =
      store::read_baselines(folder, now.sessions.front().device.slug, model::operations_of(now.worker));
  return accepted && accepted->has_digest ? std::move(accepted) : std::nullopt;
}

/// Every case that the earlier run measured must have run again, but for what the command leaves out.
results::Comparison earlier_run(std::string const& file, model::Run const& now, gate::Policy const& policy,
                                std::filesystem::path const& folder, CompareOptions const& options) {
  model::Run const base = results::read_as_one_run(file, options.foreign);
  require_comparable(base, now);
  std::optional<model::Baseline> baseline = results::baseline_of(base, file);
  if (!baseline) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: nothing was measured in it; record it again", file));
  }
  results::Comparison comparison{.baseline = std::move(baseline),
                                 .confirm_base = {},
                                 .anchor = accepted_baseline(folder, now),
                                 .scope = {},
                                 .policy = policy,
                                 .asked = {},
                                 .lacking = {},
                                 .notes = {},
                                 .incomplete = {},
                                 .only = {}};
  for (auto const& [id, stored] : comparison.baseline->cases) {
    if (config::selected(options.asked.filters, id) && model::measures(options.asked.shard, id)) {
      comparison.scope.insert(id);
    }
  }
  return comparison;
}

results::Comparison stored_baseline(std::filesystem::path const& folder, model::Run const& now,
                                    gate::Policy const& policy, config::Asked asked) {
  std::string const& slug = now.sessions.front().device.slug;
  results::Comparison comparison =
      results::comparison_of(now, baselines::trusted_baseline(folder, slug, now.worker), policy, std::move(asked));
  if (!comparison.baseline) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("there is no {}; make one with perfcheck baseline accept, or name two run files",
                                   store::baseline_path(folder, slug, now.worker.operation).string()));
  }
  return comparison;
}

/// What keeps an imported run from being decided about is said even where the policy lets the command pass: nobody
/// measures such cases again.
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
  config::Config const config = config::load_config(context.config, options.demote);
  std::vector<model::Run> files = results::read_runs(options.run_files.back(), options.foreign);
  gate::Policy const& policy = config.backend(files.front().worker.backend).policy;
  results::IncompleteCases incomplete = results::incomplete_cases(files, policy);
  model::Run const now = gate::with_confirmation(results::as_one_run(options.run_files.back(), std::move(files)));
  if (now.sessions.empty()) {
    throw CommandError(model::ExitCode::broken,
                       fmt::format("{}: it holds no session; record it again", options.run_files.back()));
  }
  std::filesystem::path const folder = config::baselines_folder(options.baselines, config);
  results::Comparison comparison =
      options.run_files.size() > 1
          ? earlier_run(options.run_files.front(), now, policy, folder, options)
          : stored_baseline(folder, now, policy, results::asked_of(now, config, options.asked));
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
  results::write_run(now, "", options.show);
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
  auto [sub, options] = line.add("compare", "Decide about a run file; needs no device", run_compare);
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
  add_demote(sub, options.demote);
  add_results(sub, options.show);
  sub->footer(
      "Record with several sessions: perfcheck run --sessions 5 --out FILE. JSON of Google Benchmark and NVBench is "
      "read "
      "too.");
}

}  // namespace perfcheck::cli
