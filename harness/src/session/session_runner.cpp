// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/session_runner.h"

#include "belief.h"
#include "case_order.h"
#include "perfcheck/clock/clock.h"
#include "worker_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>
#include <system_error>
#include <tuple>

namespace perfcheck::session {
namespace {

using Clock = std::chrono::steady_clock;

bool same_device(model::DeviceInfo const& a, model::DeviceInfo const& b) {
  auto const identity = [](model::DeviceInfo const& device) {
    return std::tie(device.backend, device.index, device.name, device.slug, device.uuid, device.multiprocessors);
  };
  return identity(a) == identity(b);
}

model::CaseStatus status_of(WorkerLost::How how) {
  switch (how) {
    case WorkerLost::How::crashed: return model::CaseStatus::crashed;
    case WorkerLost::How::timed_out: return model::CaseStatus::timed_out;
    case WorkerLost::How::protocol: return model::CaseStatus::failed;
  }
  throw std::logic_error("unknown way to lose a worker");
}

/// The result of a case that was not measured, with what the plan says of it.
model::CaseResult result_without_times(protocol::PlannedCase const& planned, model::CaseStatus status,
                                       std::string message) {
  model::CaseResult result;
  result.id = planned.id;
  result.reference = planned.reference;
  result.status = status;
  result.skip_reason = planned.skip_reason;
  result.message = std::move(message);
  result.work = planned.work;
  result.arithmetic = planned.arithmetic;
  return result;
}

/// Numbers in a result have six significant digits. False for NaN.
bool same_number(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b)); }

/// How a result contradicts the plan; empty if it does not. The work must match, because times are checked against it.
std::string unlike_plan(protocol::PlannedCase const& planned, model::CaseResult const& result) {
  if (result.reference != planned.reference) {
    return fmt::format("worker broke the protocol: it planned {} with the reference {}, its result has {}", planned.id,
                       planned.reference, beginning(result.reference));
  }
  bool const same_work =
      same_number(result.work.flop, planned.work.flop) && same_number(result.work.bytes, planned.work.bytes);
  if (result.status == model::CaseStatus::measured && !same_work) {
    return fmt::format("worker broke the protocol: it planned {} with {} FLOP and {} bytes, its result has {} and {}",
                       planned.id, planned.work.flop, planned.work.bytes, result.work.flop, result.work.bytes);
  }
  return {};
}

/// Keeps one worker alive over the cases of a session.
class Run {
 public:
  Run(SessionOptions const& options, Interrupt const* interrupt, SessionObserver& observer)
      : options_(options), interrupt_(interrupt), observer_(observer) {}

  model::Session session(std::vector<protocol::PlannedCase> const& cases);

 private:
  struct Attempt {
    model::CaseResult result;
    /// An earlier case may have harmed the worker: it had served others and was lost before a sign of life for this
    /// one, or it asked for a fresh process after this one failed.
    bool perhaps_innocent = false;
  };

  model::CaseResult result_of(protocol::PlannedCase const& planned);
  Attempt attempt(protocol::PlannedCase const& planned);
  protocol::MeasureRequest request_for(protocol::PlannedCase const& planned) const;
  bool start_again();
  /// The next case gets a new worker.
  void drop_worker(std::string const& why);
  /// The same for a worker that was harmed; these are counted, and only so many are allowed.
  void lose_worker(std::string const& why);

  SessionOptions const& options_;
  Interrupt const* interrupt_;
  SessionObserver& observer_;
  Clock::time_point const start_ = Clock::now();
  std::unique_ptr<WorkerClient> worker_;
  int served_ = 0;  ///< requests the living worker has answered
  int lost_workers_ = 0;
  std::vector<std::string> second_tries_;  ///< cases that got a second try, and why; a run file shows them
  std::string last_loss_;
  std::string over_;  ///< why the session cannot go on; empty while it can
  model::DeviceInfo device_;
  std::vector<model::KernelEntry> kernels_;  ///< as the session's first worker told them
};

model::Session Run::session(std::vector<protocol::PlannedCase> const& cases) {
  model::Session session;
  session.started = clock::utc_now();
  session.seed = options_.measure.seed;
  worker_ = std::make_unique<WorkerClient>(options_.worker, interrupt_);
  session.device = device_ = worker_->hello().device;
  session.environment = worker_->hello().environment;
  kernels_ = worker_->hello().kernels;
  if (auto unknown = model::unknown_limits(device_)) session.environment.warnings.push_back(std::move(*unknown));
  for (std::string const& missing : worker_->confinement().missing) {
    session.environment.warnings.push_back("the worker could not be kept apart from perfcheck by " + missing);
  }

  for (protocol::PlannedCase const& planned : cases) {
    if (planned.skip_reason) {
      session.cases.push_back(result_without_times(planned, model::CaseStatus::skipped, planned.reason));
    }
  }
  std::vector<std::size_t> const order =
      case_order(cases, options_.shuffle ? std::optional<uint64_t>(options_.measure.seed) : std::nullopt);
  for (std::size_t i = 0; i < order.size(); ++i) {
    protocol::PlannedCase const& planned = cases[order[i]];
    observer_.case_started(planned.id, i, order.size());
    session.cases.push_back(result_of(planned));
    observer_.case_finished(session.cases.back(), i, order.size());
  }
  if (worker_) worker_->close();
  session.restarts = lost_workers_;
  std::ranges::move(second_tries_, std::back_inserter(session.environment.warnings));
  std::sort(session.cases.begin(), session.cases.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
  return session;
}

model::CaseResult Run::result_of(protocol::PlannedCase const& planned) {
  if (options_.time_budget_s > 0 && clock::seconds_since(start_) >= options_.time_budget_s) {
    return result_without_times(
        planned, model::CaseStatus::failed,
        fmt::format("time budget used up ({} s); raise it or choose fewer cases", options_.time_budget_s));
  }
  Clock::time_point const case_start = Clock::now();
  Attempt last = attempt(planned);
  if (last.perhaps_innocent) last = attempt(planned);
  if (last.result.seconds <= 0) last.result.seconds = clock::seconds_since(case_start);
  return std::move(last.result);
}

Run::Attempt Run::attempt(protocol::PlannedCase const& planned) {
  if (!worker_ && !start_again()) {
    return {.result = result_without_times(planned, model::CaseStatus::crashed, "not run: " + over_)};
  }
  bool heard_of = false;
  Clock::time_point const asked = Clock::now();
  try {
    protocol::ResultAnswer answer =
        worker_->measure(request_for(planned), options_.case_timeout_s, [&](protocol::ProgressAnswer const& progress) {
          heard_of = true;
          observer_.case_phase(planned.id, progress.phase);
        });
    ++served_;
    double const waited_s = clock::seconds_since(asked);
    if (std::string const why = unlike_plan(planned, answer.result); !why.empty()) {
      lose_worker(why);
      return {.result = result_without_times(planned, model::CaseStatus::failed, why)};
    }
    withhold_unbelievable(answer.result, device_, kernels_, waited_s);
    if (!answer.context_lost) return {.result = std::move(answer.result)};
    worker_->close();
    bool const asks_for_another = answer.result.status == model::CaseStatus::failed;
    std::string const message = beginning(answer.result.message);
    if (asks_for_another) {
      drop_worker(fmt::format("it asked for a fresh process after {}: {}", planned.id, message));
    } else {
      lose_worker(fmt::format("the device context was lost with {}: {}", planned.id, message));
    }
    bool const again = asks_for_another && served_ > 1;
    if (again) {
      second_tries_.push_back(
          fmt::format("{}{} was measured in a fresh process, after: {}", model::kSecondTryNote, planned.id, message));
    }
    return {.result = std::move(answer.result), .perhaps_innocent = again};
  } catch (WorkerRefused const& refused) {
    ++served_;
    return {.result = result_without_times(planned, model::CaseStatus::failed,
                                           fmt::format("worker error \"{}\": {}", refused.code(), refused.what()))};
  } catch (WorkerLost const& lost) {
    bool const perhaps_innocent = served_ > 0 && !heard_of && lost.how() != WorkerLost::How::timed_out;
    lose_worker(lost.what());
    return {.result = result_without_times(planned, status_of(lost.how()), lost.what()),
            .perhaps_innocent = perhaps_innocent};
  }
}

protocol::MeasureRequest Run::request_for(protocol::PlannedCase const& planned) const {
  protocol::MeasureRequest request{.case_id = planned.id, .options = options_.measure};
  auto const injected = options_.inject_percent.find(planned.id);
  if (injected != options_.inject_percent.end()) request.options.inject_percent = injected->second;
  request.options.verified = options_.verified.contains(planned.id);
  return request;
}

/// Starts a worker in place of a lost one; false, with the reason in over_, when the session cannot go on.
bool Run::start_again() {
  for (int failures = 0; over_.empty(); ++failures) {
    if (lost_workers_ > options_.max_restarts) {
      over_ = fmt::format("{} workers were lost in this session, the last: {}", lost_workers_, last_loss_);
      break;
    }
    if (failures == 2) {
      over_ = "no worker can be started any more: " + last_loss_;
      break;
    }
    std::string const why = last_loss_;
    try {
      worker_ = std::make_unique<WorkerClient>(options_.worker, interrupt_);
    } catch (WorkerRefused const& refused) {
      lose_worker(refused.what());
      continue;
    } catch (WorkerLost const& lost) {
      lose_worker(lost.what());
      continue;
    } catch (std::system_error const& error) {
      lose_worker(error.what());
      continue;
    }
    served_ = 0;
    model::DeviceInfo const& device = worker_->hello().device;
    if (same_device(device, device_)) {
      observer_.worker_restarted(why);
      return true;
    }
    over_ = fmt::format("the restarted worker is on another device ({} {}, before: {} {})",
                        beginning(device.name, kQuoteBytes), beginning(device.uuid, kQuoteBytes),
                        beginning(device_.name, kQuoteBytes), beginning(device_.uuid, kQuoteBytes));
    worker_.reset();
  }
  return false;
}

void Run::drop_worker(std::string const& why) {
  worker_.reset();
  last_loss_ = why;
}

void Run::lose_worker(std::string const& why) {
  drop_worker(why);
  ++lost_workers_;
}

}  // namespace

model::Session run_session(std::vector<protocol::PlannedCase> const& cases, SessionOptions const& options,
                           Interrupt const* interrupt, SessionObserver& observer) {
  if (options.measure.seed > protocol::kMaxSeed) {
    throw std::invalid_argument(
        fmt::format("seed {} is too large; use one up to {}", options.measure.seed, protocol::kMaxSeed));
  }
  std::set<std::string_view> ids;
  for (protocol::PlannedCase const& planned : cases) {
    if (!ids.insert(planned.id).second) throw std::invalid_argument("case " + planned.id + " is listed twice");
  }
  return Run(options, interrupt, observer).session(cases);
}

}  // namespace perfcheck::session
