// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/tuning/tuner.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/git/source_info.h"
#include "perfcheck/measuring/measurement.h"
#include "perfcheck/model/digest.h"
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

bool is_program(std::string const& word) {
  std::error_code error;
  fs::file_status const status = fs::status(word, error);
  return !error && status.type() == fs::file_type::regular &&
         (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
}

/// Hash of the command's words, and of the programs among them: the worker, and whatever runs it, such as a sanitizer.
std::string program_hash(session::WorkerCommand const& command) {
  model::Digest digest;
  for (std::string const& word : command.argv) {
    digest.add(is_program(word) ? store::read_file(word) : word);
  }
  return digest.text();
}

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
      worker_(program_hash(bench_.command)),
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
      outdated_ = ids_of(tuning_.sessions);
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

bool Tuner::is_current(model::TuningSession const& session) const {
  model::Environment const& environment = bench_.plan.hello.environment;
  return session.worker == worker_ && session.driver == environment.driver &&
         session.libraries == environment.libraries && !outdated_.contains(session.id);
}

std::vector<model::TunedPoint> Tuner::current(std::string const& problem) const {
  std::set<std::string> sessions;
  for (model::TuningSession const& session : tuning_.sessions) {
    if (is_current(session)) {
      sessions.insert(session.id);
    }
  }
  std::vector<model::TunedPoint> points;
  if (auto const found = tuning_.problems.find(problem); found != tuning_.problems.end()) {
    std::ranges::copy_if(found->second, std::back_inserter(points),
                         [&](model::TunedPoint const& point) { return sessions.contains(point.session); });
  }
  return points;
}

std::size_t Tuner::complete() const {
  return static_cast<std::size_t>(std::ranges::count_if(contests_, [&](Contest const& contest) {
    std::vector<model::TunedPoint> const points = current(contest.problem);
    return unmeasured(contest, points).empty() && finalists(contest, points).empty();
  }));
}

bool Tuner::out_of_budget() const {
  return options_.measuring.time_budget_s > 0 && clock::seconds_since(start_) >= options_.measuring.time_budget_s;
}

void Tuner::run() {
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
    std::vector<model::TunedPoint> const points = current(contest.problem);
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
  keep(measurement.run().sessions, length);
  write();
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
                                .worker = worker_});
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
    if (!used.contains(id) && !outdated_.contains(id)) {
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
                    .brief = length == Length::brief});
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
