// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck check: screen, decide, confirm what was flagged in fresh sessions, decide again.
#include "baselines/naming.h"
#include "baselines/recording.h"
#include "baselines/stored.h"
#include "commands/commands.h"
#include "commands/fan_out.h"
#include "histories/creep_text.h"
#include "histories/history_place.h"
#include "measuring/base_build.h"
#include "measuring/duel.h"
#include "measuring/measurement.h"
#include "perfcheck/store/store.h"
#include "results/missing.h"
#include "results/presentation.h"
#include "results/undecided.h"
#include "results/yardstick.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace perfcheck::cli {
namespace {

using model::SessionPurpose;
using model::Verdict;

constexpr int kRecordedSessions = 4;

class Check {
 public:
  Check(Options const& options, Context& context)
      : options_(options),
        context_(context),
        bench_(set_up(options, context)),
        policy_(bench_.backend().policy),
        measurement_(bench_, options, context),
        accepted_(trusted_baseline(bench_.baselines, bench_.device().slug, bench_.plan.hello.worker.operation)),
        baseline_(renamed(accepted_, names().renamed, bench_.baselines)) {
    require_todays_ids(bench_.plan, names());
    require_used(names(), bench_.plan.hello.kernels, bench_.baselines);
    measurement_.seal_with(sealing_of(options, bench_, baseline_ ? &*baseline_ : nullptr, context));
    // Opened before anything is measured: a history that cannot be written must not cost a measurement.
    if (std::string const place = history_place(options, bench_.config); !place.empty() && keeps_history(options)) {
      require_fan_out(options);
      history_.emplace(place, history::Mode::write);
      history_->honour(names().renamed);
    }
    if (auto command = base_command(options, bench_.config, bench_.plan.hello.worker.backend, context)) {
      base_.emplace(std::move(*command), bench_, options, context);
    }
  }

  model::ExitCode run() {
    if (options_.timing == Options::Timing::verify_only) {
      measurement_.add_session(bench_.plan.cases, SessionPurpose::screen, "verification");
      return finish(exit_code_of(measurement_.run()));
    }
    if (is_empty_shard()) {
      // What the others wait for is a run that says so.
      measurement_.add_session({}, SessionPurpose::screen, "nothing");
      return finish(gate::Decisions{.exit_code = model::ExitCode::ok});
    }
    if (!baseline_ && may_record()) {
      record(bench_.plan.cases, "recording");
      return finish(decide());
    }
    if (base_ && (change_renames() || !baseline_knows_this_card() || pairs_are_fairer())) {
      return duel();
    }
    measurement_.add_session(bench_.plan.cases, SessionPurpose::screen, "screen");
    gate::Decisions decisions = confirmed(decide());
    if (record_new_cases(decisions)) {
      decisions = decide();
    }
    return finish(decisions);
  }

 private:
  static bool keeps_history(Options const& options) { return options.timing == Options::Timing::measure; }

  model::Baseline const* stored() const { return baseline_ ? &*baseline_ : nullptr; }
  gate::Names const& names() const { return bench_.config.names; }

  /// Such cases are measured in both builds from the start: nothing else makes the rename count.
  bool change_renames() const {
    auto const is_renamed = [&](std::string const& id) { return names().change_renames(id); };
    return std::ranges::any_of(base_->case_ids(), is_renamed) ||
           (baseline_ && std::ranges::any_of(baseline_->cases, is_renamed, [](auto const& one) { return one.first; }));
  }

  /// What the suite asks for and no kernel offers any more.
  void tell_missing(gate::Decisions& decisions) const {
    Plan const& plan = bench_.plan;
    explain_missing(decisions, plan.asked, plan.offered, Source::worker);
    tell_lacking(decisions, plan.asked, lacking_problems(plan.asked, plan.offered, stored()), Source::worker);
  }

  bool is_empty_shard() const { return bench_.plan.asked.shard && scope_of(bench_.plan, stored()).empty(); }

  bool baseline_knows_this_card() const {
    return baseline_ && std::count_if(baseline_->sessions.begin(), baseline_->sessions.end(),
                                      [&](model::BaselineSession const& session) {
                                        return session.device_uuid == bench_.device().uuid;
                                      }) >= policy_.min_baseline_sessions;
  }

  /// What neighbours do to a shared device, they do to two builds that are measured in the same minutes alike. New
  /// cases are recorded only where the stored baseline is compared with.
  bool pairs_are_fairer() const { return policy_.shared_device && options_.record == Options::Record::no; }

  /// What must have run, under the ids that it counts for by now: a filter and a shard select by what the change calls
  /// it, whether that counts in the end or not.
  std::vector<std::string> duel_scope() const {
    if (!baseline_) {
      return scope_of(bench_.plan, nullptr);
    }
    auto const proposed = renamed(baseline_, names().proposed, bench_.baselines);
    std::vector<std::string> const ids = scope_of(bench_.plan, &*proposed);
    std::set<std::string> const asked(ids.begin(), ids.end());
    std::set<std::string> scope;
    for (auto const& [id, entry] : baseline_->cases) {
      if (asked.contains(names().proposed.now(id))) {
        scope.insert(id);
      }
    }
    std::ranges::transform(bench_.plan.cases, std::inserter(scope, scope.end()), &protocol::PlannedCase::id);
    return {scope.begin(), scope.end()};
  }

  char const* why_duel() const {
    if (change_renames()) return "the change renames cases";
    if (!baseline_) return "there is no baseline";
    return baseline_knows_this_card() ? "others share this device" : "the baseline does not know this card";
  }

  /// Where the baseline is of other cards or other minutes, the base build here and now is the better yardstick from
  /// the start.
  model::ExitCode duel() {
    context_.terminal.message(fmt::format("{}: the base build is measured in its place", why_duel()));
    Duel duel(bench_, options_, measurement_, *base_, duel_scope(), stored());
    gate::Decisions decisions = duel.run();
    tell_missing(decisions);
    advise_undecided(decisions, duel.policy(), Beside::base_build);
    write_run();
    return keep_and_show(decisions, duel.policy());
  }

  bool may_record() const {
    if (options_.record == Options::Record::no) {
      return false;
    }
    if (!options_.inject.empty()) {
      context_.terminal.message("nothing is recorded: --inject-slowdown makes this run unfit for a baseline");
      return false;
    }
    return true;
  }

  gate::Decisions decide(gate::Look look = gate::Look::last) {
    std::vector<std::string> const wanted = scope_of(bench_.plan, stored());
    std::set<std::string> scope(wanted.begin(), wanted.end()), planned;
    std::ranges::transform(bench_.plan.cases, std::inserter(planned, planned.end()), &protocol::PlannedCase::id);
    std::vector<std::string> const retired = gate::leave_out_retired(scope, names().retired, planned);
    gate::Policy policy = policy_;
    if (!recorded_to_.empty()) {
      // Nothing to compare these cases with before the next run; that was the user's wish.
      policy.demoted.push_back(Verdict::no_baseline);
    }
    model::Run const base = base_ ? base_->run(names().renamed) : model::Run();
    std::optional<model::Baseline> const confirm_base = baseline_of(base, SessionPurpose::confirm, kTheBaseBuild);
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

  /// Decisions after what the screen flagged was measured again.
  gate::Decisions confirmed(gate::Decisions const& screened) {
    if (options_.confirm == Options::Confirm::no) {
      return screened;
    }
    return confirm(
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
    record(with_ids(bench_.plan.cases, fresh), "recording new cases");
    return true;
  }

  void record(std::vector<protocol::PlannedCase> const& cases, std::string const& label) {
    int const sessions = options_.sessions > 0 ? options_.sessions : kRecordedSessions;
    if (auto const updated = Recording(bench_, measurement_, context_).record(baseline_, cases, label, sessions)) {
      store::write_baseline(bench_.baselines, *updated);
      recorded_cases_ = updated->accepted.back().cases;
      recorded_to_ = store::baseline_path(bench_.baselines, updated->device_slug, updated->operation).string();
    }
  }

  /// With what it was compared with, so that a file of it can be decided about again, and shards be merged.
  model::Run whole_run() {
    model::Run run = measurement_.run();
    if (base_) {
      run.base_sessions = base_->run().sessions;
    }
    return run;
  }

  void write_run() {
    if (!options_.out.empty()) {
      store::write_run(options_.out, whole_run());
    }
  }

  model::ExitCode finish(gate::Decisions decisions) {
    write_run();
    gate::Policy shown = policy_;
    if (!recorded_to_.empty()) {
      shown.demoted.push_back(Verdict::no_baseline);
    }
    advise_undecided(decisions, shown, base_ ? Beside::base_build : Beside::nothing);
    return keep_and_show(std::move(decisions), shown);
  }

  /// Kept before it is shown, so that the result can tell what the history makes of it. A history that fails delays the
  /// result and changes nothing in it, and a regression stays one.
  model::ExitCode keep_and_show(gate::Decisions decisions, gate::Policy const& policy) {
    std::string const failure = keep(decisions);
    std::optional<CreptDevice> crept;
    if (history_ && failure.empty() && !options_.shard) {
      crept = creep_of_run(*history_, measurement_.run(), bench_.config, bench_.baselines, decisions.notes);
    }
    show(decisions, policy, crept ? &*crept : nullptr);
    if (failure.empty()) {
      return decisions.exit_code;
    }
    context_.terminal.message(fmt::format("not kept in the history: {}", failure));
    return decisions.exit_code == model::ExitCode::ok ? model::ExitCode::io_error : decisions.exit_code;
  }

  void show(gate::Decisions const& decisions, gate::Policy const& policy, CreptDevice const* crept) {
    present({.run = measurement_.run(),
             .decisions = &decisions,
             .demoted = policy.demoted,
             .exit_code = decisions.exit_code,
             .command = "check",
             .baseline = stored(),
             .crept = crept},
            options_, context_);
  }

  /// Why it could not be kept; empty when it was, or was not to be.
  std::string keep(gate::Decisions const& decisions) {
    try {
      if (history_ && options_.shard) {
        keep_shard_in_history(*history_, whole_run(), context_);
      } else if (history_) {
        keep_in_history(*history_, measurement_.run(), decisions, context_);
      }
      return "";
    } catch (history::HistoryError const& error) {
      return error.what();
    }
  }

  model::ExitCode finish(model::ExitCode code) {
    write_run();
    present({.run = measurement_.run(), .demoted = {}, .exit_code = code, .command = "check"}, options_, context_);
    return code;
  }

  Options const& options_;
  Context& context_;
  Workbench bench_;
  gate::Policy policy_;
  Measurement measurement_;
  std::optional<history::History> history_;
  std::optional<BaseBuild> base_;
  std::optional<model::Baseline> const accepted_;  ///< under the ids of its file
  /// What is compared with, under today's ids: as it was before this check recorded anything.
  std::optional<model::Baseline> const baseline_;
  std::string recorded_to_;
  int recorded_cases_ = 0;
};

}  // namespace

model::ExitCode command_check(Options const& options, Context& context) {
  return options.devices.empty() ? Check(options, context).run() : fan_out(FanOut::check, options, context);
}

}  // namespace perfcheck::cli
