// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "measure_case.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/measure/sampler.h"
#include "perfcheck/model/defences.h"
#include "perfcheck/verify/draw_secret.h"
#include "proven_replay.h"

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

/// A replay may grow to this many times the length asked for, to reach kPlaces sets of buffers.
constexpr double kReplayGrowth = 2;
/// A launch that took this many times the length asked for, twice, is alone in its replay. Once proves nothing: a
/// library may have built its plan, or another thread may have had the core.
constexpr double kClearlyLong = 4;
/// Longest rest after a replay. The power draw of replays as long as this has become steady; to rest for longer would
/// double the time of a suite for its few slowest kernels.
constexpr double kLongestRestNs = 10e6;

/// How often a case whose numbers disagree is timed before that is held against it. cuBLAS with a split k has two
/// levels of speed, 5 % apart: in one of six timings its launches on their own were at the other level, in each of
/// kMostTries. With three timings, one of ten checks of unchanged code accused such a case. On a CPU, only a core that
/// others used is a reason to time again: there, chance decides what a kernel gains by a thread of its own, and another
/// timing would be another chance.
constexpr int kMostTimings = 5;

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Length of one replay: the median of three, after one that warms up. When that one took `enough_ns` or more, its time
/// is returned; so is that of any of the three that took `little_ns` or less.
double replay_length_ns(ProvenReplay& replay, double enough_ns = kForever, double little_ns = 0) {
  double const first = replay.run().time_ns;
  if (first >= enough_ns) {
    return first;
  }
  double times[3];
  for (double& time : times) {
    time = replay.run().time_ns;
    if (time <= little_ns) {
      return time;
    }
  }
  std::sort(std::begin(times), std::end(times));
  return times[1];
}

/// Finds out how many launches make a replay long enough, records them, and says how many there are.
int record_long_enough(ProvenReplay& replay, double outside_ns, protocol::MeasureOptions const& options,
                       double inject_percent, ReplayTally& tally) {
  double const target_ns = options.replay_ms * 1e6;
  double const long_ns = kClearlyLong * target_ns;
  replay.record(1, 0);
  // For a short launch it is enough to know that it is short: its time is found with several of them.
  constexpr int kSeveral = 8;
  double const short_ns = target_ns / (kSeveral + 1);
  double const one_ns = replay_length_ns(replay, outside_ns >= long_ns ? long_ns : kForever, short_ns);
  tally.busy_ns += std::min(one_ns, outside_ns);  // the launch outside of a recording, without its overhead
  int count = launches_for(target_ns, one_ns, replay.most_launches());
  // The time of a single short launch is mostly overhead; the estimate from a few is closer.
  if (count > kSeveral) {
    int const few = std::min(count, 32);
    replay.record(few, 0);
    count = launches_for(target_ns, replay_length_ns(replay) / few, replay.most_launches());
  }
  double extra_ns = 0;
  if (inject_percent > 0) {
    if (count > 1) replay.record(count, 0);
    double const length_ns = count == 1 ? one_ns : replay_length_ns(replay);
    extra_ns = length_ns * inject_percent / 100;
  }
  replay.record(count, extra_ns);
  return count;
}

/// A case whose replays were made before, as another case's reference or for an earlier timing, gets the same number of
/// launches again.
std::unique_ptr<ProvenReplay> make_replay(device::Backend& backend, Subject const& subject,
                                          protocol::MeasureOptions const& options, double inject_percent,
                                          KnownCases& known, ReplayTally& tally) {
  auto replay = std::make_unique<ProvenReplay>(backend, subject.problem->prepare(backend, *subject.kernel), tally,
                                               verify::draw_secret);
  double const outside_ns = replay->launch_once();
  auto const launches = known.launches.find(subject.case_id);
  if (launches != known.launches.end() && !(inject_percent > 0)) {
    tally.busy_ns += outside_ns;
    replay->record(launches->second, 0);
  } else {
    known.launches[subject.case_id] = record_long_enough(*replay, outside_ns, options, inject_percent, tally);
  }
  return replay;
}

/// Runs `work` on a reference. What is wrong with a reference says nothing about the case, and leaves it without a time
/// all the same.
template <class Work>
auto on_reference(std::string const& id, Work const& work) {
  try {
    return work();
  } catch (WrongOutput const& wrong) {
    throw std::runtime_error(fmt::format("its reference {} is incorrect: timed_output: {}", id, wrong.what()));
  } catch (Disagreement const& disagreement) {
    throw Disagreement(fmt::format("its reference {}: {}", id, disagreement.what()));
  } catch (device::Interference const& interference) {
    throw device::Interference(fmt::format("its reference {}: {}", id, interference.what()),
                               interference.context_lost());
  }
}

/// Both sides of a case. A case that is its own control has one side only.
struct Sides {
  std::unique_ptr<ProvenReplay> subject, other;
  std::string reference_id;

  ProvenReplay& reference() const { return other ? *other : *subject; }
};

class ReplayPair final : public measure::RoundSource {
 public:
  ReplayPair(Sides const& sides, double idle_share) : sides_(sides), idle_share_(idle_share) {}
  device::Reading replay_case() override { return replay_and_rest(*sides_.subject); }
  device::Reading replay_reference() override {
    if (!sides_.other) return replay_case();
    return on_reference(sides_.reference_id, [&] { return replay_and_rest(*sides_.other); });
  }
  double now_s() override { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

 private:
  device::Reading replay_and_rest(ProvenReplay& replay) const {
    auto const start = Clock::now();
    auto const reading = replay.run();
    // Writing inputs and comparing outputs draw less power than what was timed: they are part of the rest.
    double const besides_ns = clock::seconds_since(start) * 1e9 - reading.time_ns;
    double const rest_ns = std::min(reading.time_ns * idle_share_, kLongestRestNs) - std::max(besides_ns, 0.0);
    if (!(rest_ns > 0)) return reading;
    std::this_thread::sleep_for(std::chrono::duration<double, std::nano>(rest_ns));
    return reading;
  }

  Sides const& sides_;
  double idle_share_;
};

model::Verification const& verify_once(device::Backend& backend, Subject const& subject, uint64_t seed,
                                       KnownCases& known) {
  auto const earlier = known.verified.find(subject.case_id);
  if (earlier != known.verified.end()) {
    return earlier->second;
  }
  return known.verified[subject.case_id] = subject.problem->verify(backend, *subject.kernel, seed);
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

/// A kernel that launches what its reference launches is no kernel of its own, unless it says that it calls a library.
void check_own_work(KernelInfo const& kernel, ProvenReplay const& subject, ProvenReplay const& reference) {
  if (model::applies(model::Defence::own_work) && kernel.library == nullptr && !subject.launch_text().empty() &&
      subject.launch_text() == reference.launch_text()) {
    throw device::Interference(
        fmt::format("it launches what its reference launches, {}; a kernel that calls a library "
                    "names it (.library)",
                    subject.launch_text()));
  }
}

measure::SampleResult sample_rounds(Sides const& sides, protocol::MeasureOptions const& options) {
  ReplayPair pair(sides, options.idle_share);
  measure::SamplerOptions sampling;
  sampling.min_rounds = options.min_rounds;
  sampling.max_rounds = options.max_rounds;
  sampling.max_seconds = options.max_seconds;
  sampling.hard_seconds = std::max(10 * options.max_seconds * (1 + options.idle_share), sampling.hard_seconds);
  sampling.precision = options.precision;
  return measure::sample(pair, sampling);
}

/// Throws WrongOutput when a timed launch of the case left a wrong result.
void time_case(device::Backend& backend, Subject const& subject, Subject const& reference,
               protocol::MeasureOptions const& options, KnownCases& known, model::CaseResult& result,
               std::function<void(char const*)> const& report) {
  report("warm_up");
  ReplayTally tally;
  Sides sides{.subject = make_replay(backend, subject, options, options.inject_percent, known, tally),
              .other = nullptr,
              .reference_id = reference.case_id};
  if (subject.case_id != reference.case_id) {
    sides.other =
        on_reference(reference.case_id, [&] { return make_replay(backend, reference, options, 0, known, tally); });
    check_own_work(*subject.kernel, *sides.subject, *sides.other);
  }

  report("measure");
  auto const sampled = sample_rounds(sides, options);
  sides.subject->close();
  sides.subject->check_steps();
  if (sides.other) on_reference(reference.case_id, [&] { sides.other->close(); });

  result.device_seconds = tally.busy_ns * 1e-9;
  result.proof = model::Proof{.replays = tally.replays,
                              .compared = tally.compared,
                              .outputs_compared = tally.outputs_compared,
                              .clock_deviation = sides.subject->clock_deviation()};
  result.status = model::CaseStatus::measured;
  result.launches = sides.subject->attributes();
  result.state = backend.state();
  result.rounds = per_launch(sampled.rounds, sides.subject->launches(), sides.reference().launches());
  result.stop_reason = sampled.stop_reason + (sampled.steady ? "" : ", not steady") +
                       (sampled.disturbed_rounds > 0 ? ", disturbed" : "");
  result.injected_percent = options.inject_percent;
}

/// Times the case again where numbers disagree. A wrong result gets no second chance.
void time_case_fairly(device::Backend& backend, Subject const& subject, Subject const& reference,
                      protocol::MeasureOptions const& options, KnownCases& known, model::CaseResult& result,
                      std::function<void(char const*)> const& report) {
  for (int timing = 1;; ++timing) {
    try {
      return time_case(backend, subject, reference, options, known, result, report);
    } catch (Disagreement const&) {
      if (timing == kMostTimings) throw;
    }
  }
}

/// Verifies the case and its reference. Returns false, and sets the status, where there is nothing to time.
bool may_be_timed(device::Backend& backend, Subject const& subject, Subject const& reference,
                  protocol::MeasureOptions const& options, KnownCases& known, model::CaseResult& result,
                  std::function<void(char const*)> const& report) {
  report("verify");
  result.verification = verify_once(backend, subject, options.seed, known);
  if (!result.verification->passed) {
    result.status = model::CaseStatus::incorrect;
    result.message = first_failure(*result.verification);
    return false;
  }
  if (options.verify_only) {
    result.status = model::CaseStatus::skipped;
    result.skip_reason = model::SkipReason::verify_only;
    result.message = "verified and not timed, as asked";
    return false;
  }
  auto const& of_reference = verify_once(backend, reference, options.seed, known);
  if (!of_reference.passed) {
    result.status = model::CaseStatus::failed;
    result.message = fmt::format("its reference {} is incorrect: {}", reference.case_id, first_failure(of_reference));
  }
  return of_reference.passed;
}

void run_case(device::Backend& backend, Subject const& subject, Subject const& reference,
              protocol::MeasureOptions const& options, KnownCases& known, model::CaseResult& result,
              std::function<void(char const*)> const& report) {
  if (!options.verified && !may_be_timed(backend, subject, reference, options, known, result, report)) return;
  model::Check output{.name = "timed_output", .passed = true, .error_over_bound = std::nullopt, .detail = ""};
  try {
    time_case_fairly(backend, subject, reference, options, known, result, report);
  } catch (WrongOutput const& wrong) {
    output.passed = false;
    output.detail = wrong.what();
  }
  if (!result.verification) result.verification = model::Verification{.passed = true, .checks = {}};
  result.verification->checks.push_back(output);
  if (!output.passed) {
    result.verification->passed = false;
    result.status = model::CaseStatus::incorrect;
    result.message = first_failure(*result.verification);
  }
}

}  // namespace

bool device_lost(device::Backend& backend) {
  try {
    backend.synchronize();
    return false;
  } catch (std::exception const&) {
    return true;
  }
}

bool put_settings_back(device::Backend& backend) {
  try {
    backend.check_settings();
    return true;
  } catch (std::exception const&) {
    return false;
  }
}

int launches_for(double target_ns, double launch_ns, int sets) {
  double const per_replay = target_ns / std::max(launch_ns, 1.0);
  double const spread = std::min<double>(std::min(sets, kPlaces), std::floor(kReplayGrowth * per_replay));
  return static_cast<int>(
      std::clamp<double>(std::max(std::ceil(per_replay), spread), 1.0, std::min(sets, kMostLaunches)));
}

MeasuredCase measure_case(device::Backend& backend, Subject const& subject, Subject const& reference,
                          protocol::MeasureOptions const& options, KnownCases& known,
                          std::function<void(char const*)> const& report) {
  auto const start = Clock::now();
  MeasuredCase measured;
  model::CaseResult& result = measured.result;
  result.id = subject.case_id;
  result.reference = reference.case_id;
  result.work = subject.problem->work();
  result.arithmetic = subject.problem->arithmetic();
  try {
    run_case(backend, subject, reference, options, known, result, report);
  } catch (device::Interference const& interference) {
    measured.context_lost = interference.context_lost();
    // On a CPU chance decides whether numbers disagree: another process would be another chance.
    measured.wants_fresh_process =
        dynamic_cast<Disagreement const*>(&interference) != nullptr && backend.name() == "cuda";
    if (measured.context_lost) device::abandon_device();
    result.status = model::CaseStatus::invalid;
    result.message = interference.what();
  } catch (device::OutOfMemory const& error) {
    measured.wants_fresh_process = true;
    result.status = model::CaseStatus::failed;
    result.message = error.what();
    result.skip_reason.reset();
  } catch (std::exception const& error) {
    measured.context_lost = device_lost(backend);
    result.status = measured.context_lost ? model::CaseStatus::crashed : model::CaseStatus::failed;
    result.message = error.what();
    result.skip_reason.reset();
  }
  if (result.status != model::CaseStatus::measured) {
    result.rounds.reset();
    result.proof.reset();
    if (!measured.context_lost) (void)put_settings_back(backend);
  }
  if (!result.state && !measured.context_lost && result.status != model::CaseStatus::skipped) {
    result.state = backend.state();  // a device that is faulty or taken by others may be why it failed
  }
  result.seconds = clock::seconds_since(start);
  return measured;
}

}  // namespace perfcheck::worker
