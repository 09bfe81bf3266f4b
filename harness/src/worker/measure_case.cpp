// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "measure_case.h"

#include "perfcheck/measure/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

namespace perfcheck::worker {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// More launches than this in one recording cost more to capture than they gain in precision.
constexpr int kMostLaunches = 1000;
/// A replay may grow to this many times the length asked for, to reach kPlaces sets of buffers.
constexpr double kReplayGrowth = 2;
/// A launch that took this many times the length asked for, twice, is alone in its replay. Once proves nothing: a
/// library built its plan, or another thread had the core.
constexpr double kClearlyLong = 4;
/// Longest rest after a replay. Replays as long as this draw what they draw for good; to rest for longer would double
/// the time of a suite for its few slowest kernels.
constexpr double kLongestRestNs = 10e6;

/// A kernel with its buffers, recorded as often as a replay needs to be long enough.
struct TimedReplay {
  std::unique_ptr<TimedCase> timed;
  std::unique_ptr<device::Replay> replay;
  int launches = 1;
};

/// A replay that adds up how long it keeps the device busy.
class CountedReplay final : public device::Replay {
 public:
  CountedReplay(std::unique_ptr<device::Replay> replay, double& busy_ns)
      : replay_(std::move(replay)), busy_ns_(busy_ns) {}
  device::Reading run() override {
    auto const reading = replay_->run();
    busy_ns_ += reading.time_ns;
    return reading;
  }
  std::vector<model::LaunchAttributes> attributes() const override { return replay_->attributes(); }

 private:
  std::unique_ptr<device::Replay> replay_;
  double& busy_ns_;
};

/// Length of one replay: the middle of three, after one that warms up. When that took `enough_ns`, it tells.
double replay_length_ns(device::Replay& replay, double enough_ns = std::numeric_limits<double>::infinity()) {
  double const first = replay.run().time_ns;
  if (first >= enough_ns) {
    return first;
  }
  double times[3];
  for (double& time : times) {
    time = replay.run().time_ns;
  }
  std::sort(std::begin(times), std::end(times));
  return times[1];
}

device::Recording recording_of(TimedCase& timed, int launches, double extra_ns) {
  return {.launches = launches, .launch = [&timed](int index) { timed.launch(index); }, .extra_ns = extra_ns};
}

TimedReplay make_replay(device::Backend& backend, Subject const& subject, protocol::MeasureOptions const& options,
                        double inject_percent, double& busy_ns) {
  TimedReplay result;
  auto const record = [&](int launches, double extra_ns) {
    return std::make_unique<CountedReplay>(backend.record(recording_of(*result.timed, launches, extra_ns)), busy_ns);
  };
  result.timed = subject.problem->prepare(backend, *subject.kernel, options.seed);
  // Once outside of a recording: libraries build their plans, modules are loaded.
  auto const start = Clock::now();
  result.timed->launch(0);
  backend.check_launch();
  backend.synchronize();
  double const outside_ns = seconds_since(start) * 1e9;

  double const target_ns = options.replay_ms * 1e6;
  double const long_ns = kClearlyLong * target_ns;
  auto const alone = record(1, 0);
  double const one_ns = outside_ns >= long_ns ? replay_length_ns(*alone, long_ns) : replay_length_ns(*alone);
  busy_ns += std::min(one_ns, outside_ns);  // the launch outside, without what surrounded it
  int count = launches_for(target_ns, one_ns, result.timed->copies());
  // A single short launch is dominated by what surrounds it; the estimate from a few is closer.
  if (count > 8) {
    int const few = std::min(count, 32);
    double const few_ns = replay_length_ns(*record(few, 0)) / few;
    count = launches_for(target_ns, few_ns, result.timed->copies());
  }
  result.launches = count;
  double extra_ns = 0;
  if (inject_percent > 0) {
    double const length_ns = count == 1 ? one_ns : replay_length_ns(*record(count, 0));
    extra_ns = length_ns * inject_percent / 100;
  }
  result.replay = record(count, extra_ns);
  return result;
}

class ReplayPair final : public measure::RoundSource {
 public:
  ReplayPair(device::Replay& subject, device::Replay& reference, double idle_share)
      : subject_(subject), reference_(reference), idle_share_(idle_share) {}
  device::Reading replay_case() override { return replay_and_rest(subject_); }
  device::Reading replay_reference() override { return replay_and_rest(reference_); }
  double now_s() override { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

 private:
  device::Reading replay_and_rest(device::Replay& replay) const {
    auto const reading = replay.run();
    double const rest_ns = std::min(reading.time_ns * idle_share_, kLongestRestNs);
    std::this_thread::sleep_for(std::chrono::duration<double, std::nano>(rest_ns));
    return reading;
  }

  device::Replay& subject_;
  device::Replay& reference_;
  double idle_share_;
};

model::Verification const& verify_once(device::Backend& backend, Subject const& subject, uint64_t seed,
                                       VerifiedCases& verified) {
  auto const known = verified.find(subject.case_id);
  if (known != verified.end()) {
    return known->second;
  }
  return verified[subject.case_id] = subject.problem->verify(backend, *subject.kernel, seed);
}

std::string first_failure(model::Verification const& verification) {
  for (auto const& check : verification.checks) {
    if (!check.passed) {
      return check.name + ": " + check.detail;
    }
  }
  return "verification did not pass and names no check";
}

/// Rounds of whole replays, turned into times per launch.
model::Rounds per_launch(model::Rounds rounds, int launches, int reference_launches) {
  rounds.launches = launches;
  rounds.reference_launches = reference_launches;
  for (double& time : rounds.time_ns) {
    time /= launches;
  }
  for (double& time : rounds.reference_time_ns) {
    time /= reference_launches;
  }
  return rounds;
}

void time_case(device::Backend& backend, Subject const& subject, Subject const& reference,
               protocol::MeasureOptions const& options, model::CaseResult& result,
               std::function<void(char const*)> const& report) {
  report("warm_up");
  bool const control = subject.case_id == reference.case_id;
  double busy_ns = 0;
  TimedReplay const timed = make_replay(backend, subject, options, options.inject_percent, busy_ns);
  TimedReplay const other = control ? TimedReplay{} : make_replay(backend, reference, options, 0, busy_ns);
  device::Replay& reference_replay = control ? *timed.replay : *other.replay;

  report("measure");
  ReplayPair pair(*timed.replay, reference_replay, options.idle_share);
  measure::SamplerOptions sampling;
  sampling.min_rounds = options.min_rounds;
  sampling.max_rounds = options.max_rounds;
  sampling.max_seconds = options.max_seconds;
  sampling.hard_seconds = std::max(10 * options.max_seconds * (1 + options.idle_share), sampling.hard_seconds);
  sampling.precision = options.precision;
  auto const sampled = measure::sample(pair, sampling);
  result.device_seconds = busy_ns * 1e-9;

  // The output of the timed launches, not of another run: a kernel that is right only when nobody looks is wrong.
  model::Check const output = timed.timed->check_output();
  result.verification->checks.push_back(output);
  if (!output.passed) {
    result.verification->passed = false;
    result.status = model::CaseStatus::incorrect;
    result.message = first_failure(*result.verification);
    return;
  }
  result.status = model::CaseStatus::measured;
  result.launches = timed.replay->attributes();
  result.state = backend.state();
  result.rounds = per_launch(sampled.rounds, timed.launches, control ? timed.launches : other.launches);
  result.stop_reason = sampled.stop_reason + (sampled.steady ? "" : ", not steady") +
                       (sampled.disturbed_rounds > 0 ? ", disturbed" : "");
  result.injected_percent = options.inject_percent;
}

void run_case(device::Backend& backend, Subject const& subject, Subject const& reference,
              protocol::MeasureOptions const& options, VerifiedCases& verified, model::CaseResult& result,
              std::function<void(char const*)> const& report) {
  report("verify");
  result.verification = verify_once(backend, subject, options.seed, verified);
  if (!result.verification->passed) {
    result.status = model::CaseStatus::incorrect;
    result.message = first_failure(*result.verification);
    return;
  }
  if (options.verify_only) {
    result.status = model::CaseStatus::skipped;
    result.skip_reason = model::SkipReason::verify_only;
    result.message = "verified and not timed, as asked";
    return;
  }
  auto const& reference_verification = verify_once(backend, reference, options.seed, verified);
  if (!reference_verification.passed) {
    result.status = model::CaseStatus::failed;
    result.message =
        fmt::format("its reference {} is incorrect: {}", reference.case_id, first_failure(reference_verification));
    return;
  }
  time_case(backend, subject, reference, options, result, report);
}

/// A failure that did not say whether the device survived it.
bool device_lost(device::Backend& backend) {
  try {
    backend.synchronize();
    return false;
  } catch (std::exception const&) {
    return true;
  }
}

}  // namespace

int launches_for(double target_ns, double launch_ns, int copies) {
  double const per_replay = target_ns / std::max(launch_ns, 1.0);
  double const spread = std::min<double>(std::min(copies, kPlaces), std::floor(kReplayGrowth * per_replay));
  return static_cast<int>(std::clamp(std::max(std::ceil(per_replay), spread), 1.0, double{kMostLaunches}));
}

MeasuredCase measure_case(device::Backend& backend, Subject const& subject, Subject const& reference,
                          protocol::MeasureOptions const& options, VerifiedCases& verified,
                          std::function<void(char const*)> const& report) {
  auto const start = Clock::now();
  MeasuredCase measured;
  model::CaseResult& result = measured.result;
  result.id = subject.case_id;
  result.reference = reference.case_id;
  result.work = subject.problem->work();
  result.arithmetic = subject.problem->arithmetic();
  try {
    run_case(backend, subject, reference, options, verified, result, report);
  } catch (std::exception const& error) {
    measured.context_lost = device_lost(backend);
    result.status = measured.context_lost ? model::CaseStatus::crashed : model::CaseStatus::failed;
    result.message = error.what();
    result.skip_reason.reset();
    result.rounds.reset();
  }
  if (!result.state && !measured.context_lost && result.status != model::CaseStatus::skipped) {
    result.state = backend.state();  // a device that is faulty or taken by others may be why it failed
  }
  result.seconds = seconds_since(start);
  return measured;
}

}  // namespace perfcheck::worker
