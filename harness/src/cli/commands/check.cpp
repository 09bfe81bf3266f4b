// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck check: screen, decide, confirm what was flagged in fresh sessions, decide again.
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "commands/fan_out.h"
#include "perfcheck/baselines/naming.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/ab_comparison.h"
#include "perfcheck/measuring/again.h"
#include "perfcheck/measuring/recording.h"
#include "perfcheck/results/as_baseline.h"
#include "perfcheck/results/exit_code.h"
#include "perfcheck/results/missing.h"
#include "perfcheck/results/undecided.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/creep_text.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace perfcheck::cli {
namespace {

constexpr char const* kExamples =
    "examples:\n"
    "  perfcheck check                                         the default suite against this device's baseline\n"
    "  perfcheck check --suite smoke --filter 'gemm/simt/*'    some kernels, a few seconds\n"
    "  perfcheck check --record-missing-baseline               on a device that has no baseline yet\n"
    "  perfcheck check --base-ref main                         confirm against main's build, side by side\n"
    "  perfcheck check --inject-slowdown gemm/simt/naive=3     would 3 % be found? must exit 1";

struct CheckOptions {
  measuring::Options measuring;
  results::ShowOptions show;
  std::string out, history;
  int sessions = 4;  ///< in which a missing baseline is recorded
  enum class Record { no, missing } record = Record::no;
};

using model::SessionPurpose;
using model::Verdict;

class Check {
 public:
  Check(CheckOptions const& options, Context& context)
      : options_(options),
        context_(context),
        bench_(measuring::set_up(options.measuring, context)),
        policy_(bench_.backend().policy),
        measurement_(bench_, options.measuring, context),
        accepted_(baselines::trusted_baseline(bench_.baselines, bench_.device().slug, bench_.plan.hello.worker)),
        baseline_(baselines::renamed(accepted_, names().renamed, bench_.baselines)) {
    baselines::require_todays_ids(bench_.plan.cases, names());
    baselines::require_used(bench_.config, bench_.plan.hello.kernels, bench_.baselines);
    measurement_.seal_with(
        measuring::sealing_of(options.measuring, bench_, baseline_ ? &*baseline_ : nullptr, context));
    // Opened before anything is measured: a history that cannot be written must not cost a measurement.
    if (std::string const place = trends::history_place(options.history, bench_.config);
        !place.empty() && keeps_history(options)) {
      trends::require_fan_out(options.measuring.shard);
      history_.emplace(place, history::Mode::write);
      history_->honour(names().renamed);
    }
    if (auto command =
            measuring::base_command(options.measuring, bench_.config, bench_.plan.hello.worker.backend, context)) {
      base_.emplace(std::move(*command), bench_, options.measuring, context);
    }
  }

  model::ExitCode run() {
    if (options_.measuring.timing == measuring::Options::Timing::verify_only) {
      measurement_.add_session(bench_.plan.cases, SessionPurpose::screen, "verification");
      return finish(results::exit_code_of(measurement_.run()));
    }
    if (is_empty_shard()) {
      // Merging needs a run of every shard, so an empty shard makes an empty run.
      measurement_.add_session({}, SessionPurpose::screen, "nothing");
      return finish(gate::Decisions{.exit_code = model::ExitCode::ok});
    }
    if (!baseline_ && may_record()) {
      record(bench_.plan.cases, "recording");
      return finish(decide());
    }
    if (base_ && (change_renames() || !baseline_knows_this_card() || pairs_are_fairer())) {
      return compare_builds();
    }
    measurement_.add_session(bench_.plan.cases, SessionPurpose::screen, "screen");
    gate::Decisions decisions = confirmed(decide());
    if (record_new_cases(decisions)) {
      decisions = decide();
    }
    return finish(decisions);
  }

 private:
  static bool keeps_history(CheckOptions const& options) {
    return options.measuring.timing == measuring::Options::Timing::measure;
  }

  model::Baseline const* stored() const { return baseline_ ? &*baseline_ : nullptr; }
  gate::Names const& names() const { return bench_.config.names; }

  /// Whether the change renames cases. A rename counts only if both builds are measured from the start.
  bool change_renames() const {
    auto const is_renamed = [&](std::string const& id) { return names().change_renames(id); };
    return std::ranges::any_of(base_->case_ids(), is_renamed) ||
           (baseline_ && std::ranges::any_of(baseline_->cases, is_renamed, [](auto const& one) { return one.first; }));
  }

  /// Explains which problems of the suite no kernel offers any more.
  void tell_missing(gate::Decisions& decisions) const {
    measuring::Plan const& plan = bench_.plan;
    results::explain_missing(decisions, plan.asked, plan.offered, results::Source::worker);
    results::tell_lacking(decisions, plan.asked, config::lacking_problems(plan.asked, plan.offered, stored()),
                          results::Source::worker);
  }

  bool is_empty_shard() const { return bench_.plan.asked.shard && measuring::scope_of(bench_.plan, stored()).empty(); }

  bool baseline_knows_this_card() const {
    return baseline_ && std::count_if(baseline_->sessions.begin(), baseline_->sessions.end(),
                                      [&](model::BaselineSession const& session) {
                                        return session.device_uuid == bench_.device().uuid;
                                      }) >= policy_.min_baseline_sessions;
  }

  /// On a shared device, neighbours disturb two builds alike if both are measured in the same minutes. But new cases
  /// are recorded only in a comparison with the stored baseline.
  bool pairs_are_fairer() const { return policy_.shared_device && options_.record == CheckOptions::Record::no; }

  char const* why_base_build() const {
    if (change_renames()) return "the change renames cases";
    if (!baseline_) return "there is no baseline";
    return baseline_knows_this_card() ? "others share this device" : "the baseline does not know this card";
  }

  /// Compares with the base build from the start. Measured here and now, it is better to compare with than a baseline
  /// of other cards or another time.
  model::ExitCode compare_builds() {
    context_.terminal.message(fmt::format("{}: the base build is measured in its place", why_base_build()));
    measuring::AbComparison comparison(bench_, options_.measuring, measurement_, *base_,
                                       measuring::scope_of_builds(bench_, baseline_), stored());
    gate::Decisions decisions = comparison.run();
    tell_missing(decisions);
    results::advise_undecided(decisions, comparison.policy(), results::ComparedWith::base_build);
    write_run();
    return keep_and_show(decisions, comparison.policy());
  }

  bool may_record() const {
    if (options_.record == CheckOptions::Record::no) {
      return false;
    }
    if (!options_.measuring.inject.empty()) {
      context_.terminal.message("nothing is recorded: --inject-slowdown makes this run unfit for a baseline");
      return false;
    }
    return true;
  }

  gate::Decisions decide(gate::Look look = gate::Look::last) {
    std::vector<std::string> const wanted = measuring::scope_of(bench_.plan, stored());
    std::set<std::string> scope(wanted.begin(), wanted.end()), planned;
    std::ranges::transform(bench_.plan.cases, std::inserter(planned, planned.end()), &protocol::PlannedCase::id);
    std::vector<std::string> const retired = gate::leave_out_retired(scope, names().retired, planned);
    gate::Policy policy = policy_;
    if (!recorded_to_.empty()) {
      // The user asked to record these cases, so having no baseline for them yet must not fail the check.
      policy.demoted.push_back(Verdict::no_baseline);
    }
    model::Run const base = base_ ? base_->run(names().renamed) : model::Run();
    std::optional<model::Baseline> const confirm_base =
        results::baseline_of(base, SessionPurpose::confirm, measuring::kTheBaseBuild);
    gate::Observations seen = gate::observations_of(measurement_.run());
    seen.confirm_base = confirm_base ? &*confirm_base : nullptr;
    seen.base_fastest = gate::fastest_rounds(base.sessions, SessionPurpose::confirm);
    seen.look = look;
    gate::Decisions decisions = gate::decide(stored(), seen, {.case_ids = {scope.begin(), scope.end()}}, policy);
    if (accepted_) {
      gate::tell_names(decisions, names(), gate::old_ids(*accepted_, names().renamed));
    }
    tell_missing(decisions);
    decisions.notes.insert(decisions.notes.end(), retired.begin(), retired.end());
    if (!recorded_to_.empty()) {
      for (gate::CaseDecision& decision : decisions.cases) {
        if (decision.verdict == Verdict::no_baseline) {
          decision.reason_code = gate::kRecordedCode;
          decision.reason = "its sessions are its baseline from now on";
        }
      }
      decisions.notes.push_back(
          fmt::format("recorded {} cases in {}: review and commit it; the next check compares with it", recorded_cases_,
                      recorded_to_));
    }
    return decisions;
  }

  /// Measures what the screen flagged again, and returns the decisions after that.
  gate::Decisions confirmed(gate::Decisions const& screened) {
    if (options_.measuring.confirm == measuring::Options::Confirm::no) {
      return screened;
    }
    return measuring::confirm(
        screened, bench_.plan, policy_.looks(base_.has_value()),
        [&](std::vector<protocol::PlannedCase> const& cases, std::string const& label, int sessions) {
          if (base_) {
            base_->add_pairs(measurement_, cases, SessionPurpose::confirm, label, sessions);
          } else {
            measurement_.add_sessions(cases, SessionPurpose::confirm, label, sessions);
          }
        },
        [&](gate::Look look) { return decide(look); });
  }

  bool record_new_cases(gate::Decisions const& decisions) {
    std::set<std::string> fresh;
    for (gate::CaseDecision const& decision : decisions.cases) {
      if (decision.verdict == Verdict::no_baseline) {
        fresh.insert(decision.id);
      }
    }
    if (fresh.empty() || !baseline_ || !may_record()) {
      return false;
    }
    record(measuring::with_ids(bench_.plan.cases, fresh), "recording new cases");
    return true;
  }

  void record(std::vector<protocol::PlannedCase> const& cases, std::string const& label) {
    for (model::Baseline const& updated :
         measuring::Recording(bench_, measurement_, context_).record(cases, label, options_.sessions)) {
      store::write_baseline(bench_.baselines, updated);
      recorded_cases_ += updated.accepted.back().cases;
      recorded_to_ += recorded_to_.empty() ? "" : " and ";
      recorded_to_ += store::baseline_path(bench_.baselines, updated.device_slug, updated.operation).string();
    }
  }

  /// The run with the sessions of the base build that it was compared with, so that its file can be decided about again
  /// and shards can be merged.
  model::Run whole_run() {
    model::Run run = measurement_.run();
    if (base_) {
      run.base_sessions = base_->run().sessions;
    }
    return run;
  }

  void write_run() { results::write_run(whole_run(), options_.out, options_.show); }

  model::ExitCode finish(gate::Decisions decisions) {
    write_run();
    gate::Policy shown = policy_;
    if (!recorded_to_.empty()) {
      shown.demoted.push_back(Verdict::no_baseline);
    }
    results::advise_undecided(decisions, shown,
                              base_ ? results::ComparedWith::base_build : results::ComparedWith::baseline);
    return keep_and_show(std::move(decisions), shown);
  }

  /// Stores the run before showing the result, so that the result can include what the history says about it. A history
  /// that fails delays the result but does not change it: a regression stays one.
  model::ExitCode keep_and_show(gate::Decisions decisions, gate::Policy const& policy) {
    std::string const failure = keep(decisions);
    std::optional<trends::CreptDevice> crept;
    if (history_ && failure.empty() && !options_.measuring.shard) {
      crept = trends::creep_of_run(*history_, measurement_.run(), bench_.config, bench_.baselines, decisions.notes);
    }
    show(decisions, policy, crept ? &*crept : nullptr);
    if (failure.empty()) {
      return decisions.exit_code;
    }
    context_.terminal.message(fmt::format("not kept in the history: {}", failure));
    return decisions.exit_code == model::ExitCode::ok ? model::ExitCode::io_error : decisions.exit_code;
  }

  void show(gate::Decisions const& decisions, gate::Policy const& policy, trends::CreptDevice const* crept) {
    results::present({.run = measurement_.run(),
                      .decisions = &decisions,
                      .demoted = policy.demoted,
                      .exit_code = decisions.exit_code,
                      .command = "check",
                      .again = again(),
                      .baseline = stored(),
                      .crept = crept},
                     options_.show, context_);
  }

  results::MeasureAgain again() const {
    return measuring::measure_again("check", options_.show.repro, options_.measuring, context_);
  }

  /// Stores the run in the history, if there is one. Returns why that failed, or an empty text.
  std::string keep(gate::Decisions const& decisions) {
    try {
      if (history_ && options_.measuring.shard) {
        trends::keep_shard_in_history(*history_, whole_run(), context_);
      } else if (history_) {
        trends::keep_in_history(*history_, measurement_.run(), decisions, context_);
      }
      return "";
    } catch (history::HistoryError const& error) {
      return error.what();
    }
  }

  model::ExitCode finish(model::ExitCode code) {
    write_run();
    results::present(
        {.run = measurement_.run(), .demoted = {}, .exit_code = code, .command = "check", .again = again()},
        options_.show, context_);
    return code;
  }

  CheckOptions const& options_;
  Context& context_;
  measuring::Workbench bench_;
  gate::Policy policy_;
  measuring::Measurement measurement_;
  std::optional<history::History> history_;
  std::optional<measuring::BaseBuild> base_;
  std::optional<model::Baseline> const accepted_;  ///< under the ids of its file
  /// The baseline to compare with, under today's ids and as it was before this check recorded anything.
  std::optional<model::Baseline> const baseline_;
  std::string recorded_to_;
  int recorded_cases_ = 0;
};

model::ExitCode run_check(CheckOptions const& options, Context& context) {
  results::prepare_results(options.show);
  if (options.measuring.devices.empty()) {
    return Check(options, context).run();
  }
  if (options.record != CheckOptions::Record::no) {
    throw UsageError(
        "--devices with --record-missing-baseline: a baseline needs every case on every card; record one device after "
        "the other with --device");
  }
  return fan_out_check(
      {.measuring = options.measuring, .show = options.show, .out = options.out, .history = options.history}, context);
}

}  // namespace

void add_check(CommandLine& line) {
  auto [sub, options] = line.add("check", "Verify, time, compare with the baseline, decide", run_check);
  add_measuring(sub, options.measuring, options.out, options.show);
  add_sealed(sub, options.measuring);
  add_fan_out(sub, options.measuring);
  sub->add_option("--sessions", options.sessions, "sessions that --record-missing-baseline measures (default 4)")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  add_flag(sub, "--no-confirm", options.measuring.confirm, measuring::Options::Confirm::no,
           "leave flagged cases inconclusive");
  add_demote(sub, options.measuring.demote, options.measuring.change_config);
  add_base(sub, options.measuring);
  add_history(sub, options.history, "keep the run and the decision in this history, too");
  add_flag(sub, "--record-missing-baseline", options.record, CheckOptions::Record::missing,
           "measure and store a baseline for cases that have none");
  sub->footer(std::string(kExamples) + "\n\n" + kExitCodes);
}

}  // namespace perfcheck::cli
