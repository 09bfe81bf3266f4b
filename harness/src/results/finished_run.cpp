// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/finished_run.h"

#include "perfcheck/model/shard.h"
#include "perfcheck/results/as_baseline.h"
#include "perfcheck/results/renaming.h"
#include "perfcheck/results/without_base.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace perfcheck::results {

namespace {

/// The program that an imported case is of: its id up to the first '/'.
std::string program_of(std::string const& case_id) { return case_id.substr(0, case_id.find('/')); }

std::set<std::string> programs_of(model::Run const& run) {
  std::set<std::string> programs;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      programs.insert(program_of(result.id));
    }
  }
  return programs;
}

config::Suite const* known_suite(config::Config const& config, std::string const& name, std::string const& backend) {
  auto const found = std::ranges::find_if(
      config.suites, [&](config::Suite const& suite) { return suite.name == name && suite.backend == backend; });
  return found == config.suites.end() ? nullptr : &*found;
}

}  // namespace

config::Asked asked_of(model::Run const& run, config::Config const& config, AskedOptions const& options) {
  std::string const& backend = run.worker.backend;
  config::Suite const* suite =
      options.of_suite.empty() ? known_suite(config, run.suite, backend) : &config.suite(options.of_suite, backend);
  if (suite == nullptr || !run.imported_from.empty()) {
    return {.suite = "",
            .problems = {},
            .elsewhere = {},
            .kernels = {},
            .renames = {},
            .filters = options.filters,
            .shard = options.shard,
            .claimed = false};
  }
  config::Asked asked = config::asked_for(config, *suite, options.filters, options.shard, run.worker.operation);
  asked.claimed = options.of_suite.empty() && run.suite != config::kDefaultSuite;
  return asked;
}

std::set<std::string> expected_cases(model::Baseline const& baseline, model::Run const& run,
                                     config::Asked const& asked) {
  if (run.imported_from.empty()) {
    return config::stored_cases(baseline, asked, config::problems_of(run));
  }
  std::set<std::string> ids;
  std::set<std::string> const programs = programs_of(run);
  for (auto const& [id, stored] : baseline.cases) {
    if (programs.contains(program_of(id)) && config::selected(asked.filters, id)) {
      ids.insert(id);
    }
  }
  return ids;
}

namespace {

/// What the base build measured for a purpose.
std::optional<model::Baseline> base_part(model::Run run, model::SessionPurpose purpose) {
  run.sessions = std::exchange(run.base_sessions, {});
  return baseline_of(std::move(run), purpose, "the base build");
}

int shard_number(std::string const& case_id, model::Run const& run) {
  return run.shard ? model::shard_of(case_id, run.shard->count) : 1;
}

/// Puts the base build's cases into `baseline`, where they replace all cases of the shards that screened against it.
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

/// Adds a note if stored cases may be missing unnoticed, because no suite says what to measure or only the run says
/// which suite it is of.
void note_weakness(Comparison& comparison, model::Run const& run) {
  config::Asked const& asked = comparison.asked;
  auto const unasked = std::ranges::count_if(comparison.baseline->cases, [&](auto const& entry) {
    return config::selected(asked.filters, entry.first) && model::measures(asked.shard, entry.first) &&
           !comparison.scope.contains(entry.first);
  });
  if (unasked == 0 || (!asked.suite.empty() && !asked.claimed)) {
    return;
  }
  if (!run.imported_from.empty()) {
    comparison.notes = {fmt::format(
        "{} stored cases are of other programs than {}: no suite says whether these should have been measured, too",
        unasked, fmt::join(programs_of(run), ", "))};
    return;
  }
  comparison.taken_at_its_word = true;
  std::string const because =
      asked.suite.empty() ? fmt::format(
                                "perfcheck.toml has no suite \"{}\" for {}, so only problems that the run itself "
                                "holds had to be measured",
                                run.suite, run.worker.backend)
                          : fmt::format("the run says that it is of suite {}", asked.suite);
  comparison.notes = {
      fmt::format("undecided: {}, and {} stored case{} of others {} not asked for: name the suite that should have "
                  "been measured with "
                  "--suite{}",
                  because, unasked, unasked == 1 ? "" : "s", unasked == 1 ? "was" : "were",
                  asked.suite.empty() ? ", or the file that has it with --config" : "")};
}

}  // namespace

Comparison comparison_of(model::Run const& run, std::optional<model::Baseline> stored, gate::Policy const& policy,
                         config::Asked asked) {
  Comparison comparison{.baseline = std::move(stored),
                        .confirm_base = base_part(run, model::SessionPurpose::confirm),
                        .anchor = {},
                        .scope = {},
                        .policy = policy,
                        .asked = std::move(asked),
                        .lacking = {},
                        .notes = {},
                        .incomplete = {},
                        .only = {},
                        .names = {},
                        .old_ids = {}};
  // Stored cases must have run even if the base build stands in for the baseline: a run file brings its own base build.
  if (comparison.baseline) {
    comparison.scope = expected_cases(*comparison.baseline, run, comparison.asked);
    note_weakness(comparison, run);
  }
  if (!comparison.asked.shard) {
    comparison.lacking = config::lacking_problems(comparison.asked, config::problems_of(run),
                                                  comparison.baseline ? &*comparison.baseline : nullptr);
  }
  if (std::optional<model::Baseline> screen = base_part(run, model::SessionPurpose::screen)) {
    // As when two builds are compared: the base was measured here and now, and what it lacks is new.
    comparison.policy.min_baseline_sessions =
        std::min(policy.min_baseline_sessions, static_cast<int>(fewest_sessions(*screen)));
    comparison.policy.demoted.push_back(model::Verdict::no_baseline);
    comparison.base_stands_in = true;
    comparison.anchor = comparison.baseline;
    stand_in(comparison.baseline, std::move(*screen), run);
    comparison.scope.merge(expected_cases(*comparison.baseline, run, comparison.asked));
  }
  return comparison;
}

gate::Decisions Comparison::by_numbers(model::Run const& run, gate::Look look) const {
  gate::Observations seen = gate::observations_of(run);
  std::erase_if(seen.cases, [&](gate::Observation const& one) { return !config::selected(only, one.id); });
  seen.confirm_base = confirm_base ? &*confirm_base : nullptr;
  seen.anchor = anchor ? &*anchor : nullptr;
  seen.base_fastest = gate::fastest_rounds(run.base_sessions, model::SessionPurpose::confirm);
  seen.look = look;
  return gate::decide(baseline ? &*baseline : nullptr, seen, {.case_ids = {scope.begin(), scope.end()}}, policy);
}

gate::Decisions Comparison::decide(model::Run const& run) const {
  gate::Decisions decisions = by_numbers(run, gate::Look::last);
  if (base_stands_in) {
    tell_without_base(decisions, run.base_sessions, anchor ? &*anchor : nullptr, policy);
  }
  gate::tell_names(decisions, names, old_ids);
  explain_missing(decisions, asked, config::problems_of(run), Source::run);
  tell_incomplete(decisions, incomplete, policy, [&](gate::Look look) { return by_numbers(run, look); });
  tell_lacking(decisions, asked, lacking, Source::run);
  if (taken_at_its_word) {
    decisions.exit_code = model::worse(decisions.exit_code, model::ExitCode::undecided);
  }
  for (std::vector<std::string> const& more : {notes_on_less(run, scope), notes}) {
    decisions.notes.insert(decisions.notes.begin(), more.begin(), more.end());
  }
  return decisions;
}

gate::Decisions decide_finished(model::Run const& run, std::optional<model::Baseline> const& baseline,
                                gate::Policy const& policy, config::Asked asked, Renaming const& renaming) {
  model::Run const now = gate::with_confirmation(run);
  Comparison comparison = comparison_of(now, baseline, policy, std::move(asked));
  comparison.incomplete = incomplete_cases({&run, 1}, policy);
  comparison.taken_at_its_word = false;
  renaming.apply(comparison, now);
  return comparison.decide(now);
}

}  // namespace perfcheck::results
