// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/measurement.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/git/source_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <set>

namespace perfcheck::measuring {
namespace {

// A budget that is just enough for a session to start, report every case as failed, and end.
constexpr double kLeastBudget = 1e-3;

uint64_t chosen_seed(Options const& options) {
  if (options.seed) {
    return *options.seed;
  }
  return std::random_device()();
}

/// Why results of a session do not count, each reason once.
std::set<std::string> reasons_in(model::Session const& session) {
  std::set<std::string> reasons;
  for (model::CaseResult const& result : session.cases) {
    reasons.insert(result.unfit.begin(), result.unfit.end());
  }
  return reasons;
}

/// The axes of those problems that occur in the plan's cases.
std::vector<model::ProblemInfo> axes_of(Plan const& plan) {
  std::set<std::string> there;
  for (protocol::PlannedCase const& planned : plan.cases) {
    there.insert(model::split_case_id(planned.id).problem);
  }
  std::vector<model::ProblemInfo> problems = plan.problems;
  std::erase_if(problems, [&](model::ProblemInfo const& problem) { return !there.contains(problem.text); });
  return problems;
}

}  // namespace

Measurement::Measurement(Workbench const& bench, Options const& options, Context& context)
    : options_(options),
      context_(context),
      progress_(context.terminal, context.detail),
      machine_(bench.machine(context)),
      skips_verification_(bench.plan.hello.skips_verification) {
  session_options_.worker = bench.command;
  session_options_.measure = bench.backend().measure.options;
  session_options_.measure.seed = chosen_seed(options);
  session_options_.measure.verify_only = options.timing == Options::Timing::verify_only;
  session_options_.case_timeout_s = bench.backend().measure.case_timeout_s;
  session_options_.inject_percent = injections(options.inject, bench.plan);

  run_.id = clock::new_run_id();
  run_.started = clock::utc_now();
  run_.tool_version = PERFCHECK_VERSION;
  run_.source = git::source_info(bench.config.file.parent_path(), bench.baselines, &context.interrupt);
  run_.worker = bench.plan.hello.worker;
  run_.suite = bench.suite;
  run_.filters = options.filters;
  run_.injected = options.inject;
  run_.shard = options.shard;
  run_.kernels = bench.plan.hello.kernels;
  run_.problems = axes_of(bench.plan);
}

double Measurement::seconds() const { return clock::seconds_since(start_); }

void Measurement::add_session(std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                              std::string const& label) {
  measure(cases, purpose, label);
  std::vector<std::string> unfit = examine(run_.sessions.back(), label);
  while (!unfit.empty() && machine_.budget().left() > 0) {
    std::set<std::string> const reasons = reasons_in(run_.sessions.back());
    context_.terminal.message(fmt::format("{} of {} cases do not count, the machine was not fit: {}", unfit.size(),
                                          run_.sessions.back().cases.size(), fmt::join(reasons, "; ")));
    if (!machine_.wait(machine_.ask()).empty()) {
      break;
    }
    auto const start = std::chrono::steady_clock::now();
    measure(with_ids(cases, {unfit.begin(), unfit.end()}), purpose, label + ", again");
    machine_.budget().spend(clock::seconds_since(start));
    unfit = examine(run_.sessions.back(), label + ", again");
  }
}

std::vector<std::string> Measurement::examine(model::Session& session, std::string const& label) {
  std::vector<std::string> unfit = mark_unfit(session, machine_);
  if (sealing_) {
    bool const budgeted = options_.time_budget_s > 0;
    sealing_->apply(session, label, progress_, [&] { return budgeted && seconds() >= options_.time_budget_s; });
  }
  return unfit;
}

void Measurement::measure(std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                          std::string label) {
  session::SessionOptions options = session_options_;
  // A different order in every session, derived from one seed.
  options.measure.seed = (options.measure.seed + run_.sessions.size()) % protocol::kMaxSeed;
  if (options_.time_budget_s > 0) {
    options.time_budget_s = std::max(kLeastBudget, options_.time_budget_s - seconds());
  }
  std::size_t const runnable = static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](auto const& planned) { return !planned.skip_reason; }));
  progress_.session_started(std::move(label), runnable);
  model::Session session = session::run_session(cases, options, &context_.interrupt, progress_);
  progress_.session_finished();
  session.id = fmt::format("s{}", run_.sessions.size() + 1);
  session.purpose = purpose;
  run_.sessions.push_back(std::move(session));
}

std::set<std::string> Measurement::verified() const {
  std::set<std::string> ids;
  for (std::size_t i = earlier_sessions_; skips_verification_ && i < run_.sessions.size(); ++i) {
    for (model::CaseResult const& result : run_.sessions[i].cases) {
      if (result.status == model::CaseStatus::measured) ids.insert(result.id);
    }
  }
  return ids;
}

void Measurement::add_sessions(std::vector<protocol::PlannedCase> const& cases, model::SessionPurpose purpose,
                               std::string const& label, int count) {
  for (int i = 1; i <= count; ++i) {
    add_session(cases, purpose, count == 1 ? label : fmt::format("{} {} of {}", label, i, count));
  }
}

void Measurement::disown(std::string const& session_id, std::vector<std::string> const& cases,
                         std::string const& reason) {
  auto const session = std::ranges::find(run_.sessions, session_id, &model::Session::id);
  for (model::CaseResult& result : session->cases) {
    bool const measured = result.status == model::CaseStatus::measured;
    if (measured && std::ranges::find(cases, result.id) != cases.end()) {
      result.unfit.push_back(reason);
    }
  }
}

model::Run const& Measurement::run() {
  run_.seconds = earlier_seconds_ + seconds();
  return run_;
}

}  // namespace perfcheck::measuring
