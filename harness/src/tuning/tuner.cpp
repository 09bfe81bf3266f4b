// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/tuning/tuner.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/git/source_info.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/model/summary.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::tuning {
namespace {

namespace fs = std::filesystem;

/// Cases of a batch: so many that the start of a worker takes little of the time, and no more than an interruption may
/// lose.
constexpr std::size_t kBatchCases = 100;
/// Brief measurements get this share of the usual time, and as much less precision.
constexpr double kBriefShare = 0.2;
constexpr int kBriefRounds = 3;

std::string commit_of(model::SourceInfo const& source) {
  return source.commit.empty() ? "" : source.commit + (source.dirty ? "-dirty" : "");
}

/// The bench for brief measurements: enough to tell what is far from the fastest.
measuring::Workbench hurried(measuring::Workbench bench) {
  protocol::MeasureOptions& options = bench.config.backends.at(bench.device().backend).measure.options;
  options.max_seconds *= kBriefShare;
  options.precision /= kBriefShare;
  options.min_rounds = std::min(options.min_rounds, kBriefRounds);
  options.idle_share = 0;  // a hot device slows all points of a problem alike
  return bench;
}

/// The contender that a point is a measurement of; null if it does not compete here.
protocol::PlannedCase const* contender_of(Contest const& contest, model::TunedPoint const& point) {
  auto const found =
      std::ranges::find(contest.contenders, model::case_id(point.kernel, contest.problem), &protocol::PlannedCase::id);
  return found == contest.contenders.end() ? nullptr : &*found;
}

std::set<std::string> ids_of(std::vector<model::TuningSession> const& sessions) {
  std::set<std::string> ids;
  for (model::TuningSession const& session : sessions) {
    ids.insert(session.id);
  }
  return ids;
}

}  // namespace

Tuner::Tuner(TuningOptions const& options, Context& context)
    : options_(options),
      context_(context),
      bench_(measuring::set_up(options.measuring, context)),
      present_{.worker = hashes_of(bench_.command),
               .environment = bench_.plan.hello.environment,
               .outdated = {},
               .codes = {}},
      commit_(commit_of(git::source_info(bench_.config.file.parent_path(), bench_.baselines, &context.interrupt))),
      contests_(contests_of(bench_.plan)),
      file_(options.out.empty()
                ? store::tuning_path(bench_.baselines, bench_.device().slug, bench_.plan.hello.worker.operation)
                : fs::path(options.out)) {
  model::WorkerInfo const& worker = bench_.plan.hello.worker;
  if (worker.operations.size() > 1) {
    throw CommandError(model::ExitCode::usage,
                       fmt::format("worker {} holds the operations {}, and what is tuned is stored for one; name a "
                                   "worker of one operation with --worker",
                                   worker.name, fmt::join(worker.operations, " and ")));
  }
  if (contests_.empty()) {
    throw CommandError(model::ExitCode::broken,
                       fmt::format("no kernel competes in suite {}: libraries and references are not tuned; see "
                                   "perfcheck list --suite {}",
                                   bench_.suite, bench_.suite));
  }
  tuning_ = {.operation = bench_.plan.hello.worker.operation,
             .device_slug = bench_.device().slug,
             .device_name = bench_.device().name,
             .sessions = {},
             .problems = {}};
  std::error_code error;
  if (fs::exists(file_, error)) {
    model::Tuning stored = store::read_tuning(file_);
    if (stored.operation != tuning_.operation || stored.device_slug != tuning_.device_slug) {
      throw CommandError(
          model::ExitCode::usage,
          fmt::format("{}: holds {} on {}, and this is {} on {}; name another file with --out", file_.string(),
                      stored.operation, stored.device_slug, tuning_.operation, tuning_.device_slug));
    }
    tuning_ = std::move(stored);
    drop_what_is_gone();
    if (options.again == TuningOptions::Again::yes) {
      present_.outdated = ids_of(tuning_.sessions);
    }
  }
}

/// Drops points that their kernel no longer has, and those that it now refuses on a problem. Points of kernels that
/// this worker does not know stay: another worker may know them.
void Tuner::drop_what_is_gone() {
  std::set<std::string> points, kernels, refused;
  for (protocol::PlannedCase const& planned : bench_.plan.cases) {
    if (planned.skip_reason == model::SkipReason::refused) {
      refused.insert(planned.id);
    }
  }
  for (model::KernelEntry const& kernel : bench_.plan.hello.kernels) {
    points.insert(kernel.id);
    kernels.insert(model::split_point(kernel.id).kernel);
  }
  for (auto& [problem, measured] : tuning_.problems) {
    std::erase_if(measured, [&, &problem = problem](model::TunedPoint const& point) {
      bool const is_gone = kernels.contains(model::split_point(point.kernel).kernel) && !points.contains(point.kernel);
      return is_gone || refused.contains(point.kernel + "@" + problem);
    });
  }
}

model::TuningSession const& Tuner::session_of(model::TunedPoint const& point) const {
  return *std::ranges::find(tuning_.sessions, point.session, &model::TuningSession::id);
}

Validity Tuner::validity_of_point(model::TunedPoint const& point, Contest const& contest) const {
  protocol::PlannedCase const* const contender = contender_of(contest, point);
  return validity_of(point, contest.problem, contender == nullptr ? "" : contender->reference, session_of(point),
                     present_);
}

std::vector<model::TunedPoint> Tuner::current(Contest const& contest) const {
  std::vector<model::TunedPoint> points;
  if (auto const found = tuning_.problems.find(contest.problem); found != tuning_.problems.end()) {
    std::ranges::copy_if(found->second, std::back_inserter(points),
                         [&](model::TunedPoint const& point) { return is_valid(validity_of_point(point, contest)); });
  }
  return points;
}

void Tuner::learn_codes(std::set<std::string> cases) {
  std::erase_if(cases, [&](std::string const& id) { return present_.codes.contains(id); });
  if (cases.empty() || !bench_.plan.hello.tells_launches) {
    return;
  }
  if (context_.detail != Detail::quiet) {
    context_.terminal.message(fmt::format("asking the worker what {} cases launch", cases.size()));
  }
  session::ToldLaunches const told =
      session::ask_launches(cases, bench_.command, bench_.backend().measure.case_timeout_s, &context_.interrupt);
  std::set<std::string> const libraries = library_kernels(bench_.plan);
  for (std::string const& id : cases) {
    auto const found = told.find(id);
    bool const of_library = libraries.contains(model::split_case_id(id).kernel);
    present_.codes[id] = found == told.end() ? "" : code_of(found->second, of_library);
  }
}

void Tuner::review_points() {
  std::vector<std::pair<model::TunedPoint const*, Contest const*>> points;
  std::set<std::string> open;  // cases whose code decides
  for (Contest const& contest : contests_) {
    auto const found = tuning_.problems.find(contest.problem);
    if (found == tuning_.problems.end()) {
      continue;
    }
    for (model::TunedPoint const& point : found->second) {
      protocol::PlannedCase const* const contender = contender_of(contest, point);
      if (contender == nullptr) {
        continue;
      }
      points.emplace_back(&point, &contest);
      if (!point.code.empty() && !validity_of(session_of(point), present_)) {
        open.insert({contender->id, contender->reference});
      }
    }
  }
  learn_codes(std::move(open));
  for (auto const& [point, contest] : points) {
    ++review_[validity_of_point(*point, *contest)];
  }
  if (!review_.empty()) {
    context_.terminal.message(review_text(review_));
  }
}

std::size_t Tuner::complete() const {
  return static_cast<std::size_t>(std::ranges::count_if(contests_, [&](Contest const& contest) {
    std::vector<model::TunedPoint> const points = current(contest);
    return unmeasured(contest, points).empty() && finalists(contest, points).empty();
  }));
}

bool Tuner::out_of_budget() const {
  return options_.measuring.time_budget_s > 0 && clock::seconds_since(start_) >= options_.measuring.time_budget_s;
}

void Tuner::run() {
  review_points();
  std::size_t first = 1;
  for (std::vector<Contest> const& batch : batches_of(contests_, kBatchCases)) {
    std::string const label = fmt::format("problems {} to {} of {}", first, first + batch.size() - 1, contests_.size());
    first += batch.size();
    // A point measured at length may turn out slower than it seemed, and then others are near the fastest.
    for (Length length = Length::brief;; length = Length::full) {
      std::vector<protocol::PlannedCase> const cases = wanted(batch, length);
      if (cases.empty() && length == Length::full) {
        break;
      }
      if (!cases.empty() && out_of_budget()) {
        return;
      }
      measure(cases, length,
              label + (length == Length::brief ? ", every point for a moment" : ", the fastest at length"));
    }
  }
}

std::vector<protocol::PlannedCase> Tuner::wanted(std::vector<Contest> const& batch, Length length) const {
  std::vector<protocol::PlannedCase> cases;
  for (Contest const& contest : batch) {
    std::vector<model::TunedPoint> const points = current(contest);
    std::ranges::move(length == Length::brief ? unmeasured(contest, points) : finalists(contest, points),
                      std::back_inserter(cases));
  }
  return cases;
}

void Tuner::measure(std::vector<protocol::PlannedCase> const& cases, Length length, std::string const& label) {
  if (cases.empty()) {
    return;
  }
  measuring::Workbench const bench = length == Length::brief ? hurried(bench_) : bench_;
  measuring::Options options = options_.measuring;
  options.time_budget_s = 0;  // the budget ends the work between batches
  measuring::Measurement measurement(bench, options, context_);
  measurement.add_session(cases, model::SessionPurpose::baseline, label);
  std::vector<model::Session> const& sessions = measurement.run().sessions;
  learn_codes_of_measured(sessions);
  expect_same_program();
  keep(sessions, length);
  write();
}

void Tuner::expect_same_program() const {
  if (hashes_of(bench_.command).whole != present_.worker.whole) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("the worker's program changed while it was tuned; {} has what was measured before "
                                   "this batch; run the same command again",
                                   file_.string()));
  }
}

void Tuner::learn_codes_of_measured(std::vector<model::Session> const& sessions) {
  std::set<std::string> cases;
  for (model::Session const& session : sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (result.status == model::CaseStatus::measured) {
        cases.insert({result.id, result.reference});
      }
    }
  }
  learn_codes(std::move(cases));
}

void Tuner::keep(std::vector<model::Session> const& sessions, Length length) {
  for (model::Session const& session : sessions) {
    std::string const id = new_session_id();
    tuning_.sessions.push_back({.id = id,
                                .started = session.started,
                                .device_uuid = session.device.uuid,
                                .driver = session.environment.driver,
                                .cuda_runtime = session.environment.cuda_runtime,
                                .libraries = session.environment.libraries,
                                .commit = commit_,
                                .worker = present_.worker.whole,
                                .command = present_.worker.around_worker,
                                .timing = session.environment.timing});
    for (model::CaseResult const& result : session.cases) {
      std::erase_if(failed_, [&](FailedPoint const& failed) { return failed.id == result.id; });
      keep(result, id, length);
    }
  }
}

std::string Tuner::new_session_id() const {
  std::set<std::string> const used = ids_of(tuning_.sessions);
  for (int number = 1;; ++number) {
    std::string id = fmt::format("s{}", number);
    if (!used.contains(id) && !present_.outdated.contains(id)) {
      return id;
    }
  }
}

void Tuner::keep(model::CaseResult const& result, std::string const& session, Length length) {
  std::string why = result.message;
  std::optional<model::SessionSummary> summary;
  if (result.status == model::CaseStatus::measured && result.unfit.empty()) {
    summary = model::summarize(result, &why);
  }
  model::CaseName const name = model::split_case_id(result.id);
  std::vector<model::TunedPoint>& points = tuning_.problems[name.problem];
  // A point that failed now must not be chosen because of an earlier result.
  std::erase_if(points, [&](model::TunedPoint const& point) { return point.kernel == name.kernel; });
  if (!summary) {
    bool const fit = result.unfit.empty();
    failed_.push_back({.id = result.id,
                       .status = std::string(fit ? model::to_text(result.status) : "unfit"),
                       .message = fit ? why : result.unfit.front()});
    return;
  }
  points.push_back({.kernel = name.kernel,
                    .session = session,
                    .time_ns = summary->time_ns,
                    .ratio = summary->ratio,
                    .brief = length == Length::brief,
                    .code = code_in(present_.codes, result.id),
                    .reference_code = reference_code_of(result.reference, present_.codes)});
}

void Tuner::write() {
  std::erase_if(tuning_.problems, [](auto const& problem) { return problem.second.empty(); });
  std::set<std::string> used;
  for (auto& [problem, points] : tuning_.problems) {
    std::ranges::sort(points, {}, &model::TunedPoint::kernel);
    for (model::TunedPoint const& point : points) {
      used.insert(point.session);
    }
  }
  std::erase_if(tuning_.sessions, [&](model::TuningSession const& session) { return !used.contains(session.id); });
  store::write_tuning(file_, tuning_);
}

}  // namespace perfcheck::tuning
