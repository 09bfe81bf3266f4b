// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "proven_replay.h"

#include "perfcheck/model/defences.h"
#include "perfcheck/model/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>
#include <thread>

namespace perfcheck::worker {
namespace {

using model::applies;
using model::Defence;

/// How many of a thousand replays are compared. On a GPU all are: that takes less time than the rest after each one. A
/// core of a CPU would compare for longer than it computes. There, independent draws decide, so that a replay that was
/// seen to be compared tells nothing about the next ones; where fewer than one in four have been compared, the next one
/// is compared for certain.
constexpr std::uint64_t kComparedOfThousand = 1000, kComparedOfThousandCpu = 260;
/// How many of a thousand replays the host's clock watches; and how many more where it disagrees on those, since the
/// host's scheduler may have taken a millisecond of a few.
constexpr std::uint64_t kWatchedOfThousand = 50;
constexpr int kMoreWatched = 8;

/// The share of the replays' time for which other threads of this process may have computed on a CPU while a device was
/// timed; and how much more, since the two clocks whose difference shows it are not read at once.
constexpr double kOtherThreadsShare = 0.1, kOtherThreadsSlackS = 1e-3;

/// Most launches of a replay that are checked one by one; which ones, is drawn.
constexpr int kMostSteps = 24;
/// How often they are checked: what else uses the device or the core may disturb once.
constexpr int kMostTries = 3;
/// For this long, tries during which something else used the cores decide nothing. Whatever runs on a core's other
/// hardware thread, or where a thread of the kernel would run, stays for tenths of a second. It makes every launch take
/// up to twice as long; or shorter, where a thread of the kernel worked on while this one waited.
constexpr double kPatienceS = 0.5;
constexpr std::chrono::milliseconds kRestOfPatience{10};
/// Samples of a core do not see everything that slows it, such as another machine on its other hardware thread. A
/// replay right afterwards shows it: its time then differs by more than this from that of the timed ones.
constexpr double kSameMachine = 0.1;

double seconds_of(clockid_t clock) {
  timespec time{};
  return clock_gettime(clock, &time) == 0 ? static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)
                                          : std::numeric_limits<double>::quiet_NaN();
}

/// CPU time that all other threads of this process have used so far.
double other_threads_s() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - seconds_of(CLOCK_THREAD_CPUTIME_ID); }

bool drawn(std::uint64_t number, std::uint64_t of_thousand) { return number % 1000 < of_thousand; }

}  // namespace

ProvenReplay::ProvenReplay(device::Backend& backend, std::unique_ptr<TimedCase> timed, ReplayTally& tally,
                           DrawSecret draw)
    : backend_(backend), timed_(std::move(timed)), tally_(tally), draw_(std::move(draw)) {}

void ProvenReplay::next_secret() {
  if (applies(Defence::fresh_data) || secret_ == 0) secret_ = draw_();
}

void ProvenReplay::compare(int launches) {
  timed_->compare(applies(Defence::all_sets) ? launches : 1, secret_, draw_());
}

std::string ProvenReplay::finding() {
  auto wrong = timed_->finding();
  return applies(Defence::comparison) ? wrong : "";
}

double ProvenReplay::launch_once() {
  next_secret();
  timed_->renew({0, 1}, secret_);
  backend_.synchronize();
  auto const start = std::chrono::steady_clock::now();
  timed_->launch(0);
  backend_.check_launch();
  backend_.synchronize();
  std::chrono::duration<double, std::nano> const time = std::chrono::steady_clock::now() - start;
  compare(1);
  conclude();
  return time.count();
}

void ProvenReplay::record(int launches, double extra_ns) {
  launches_ = std::min(launches, most_launches());
  replay_ = backend_.record({.launches = launches_,
                             .launch = [this](int index) { timed_->launch(index); },
                             .extra_ns = extra_ns,
                             .cold = timed_->cold()});
  times_.clear();
  backend_.check_settings();
  remember_launch(replay_->launch_text());
  if (applies(Defence::overlap) && replay_->overlaps() && !overlap_checked_) check_overlap();
}

void ProvenReplay::check_overlap() {
  overlap_checked_ = true;
  next_secret();
  auto const late = backend_.record({.launches = 1,
                                     .launch = [this](int index) { timed_->launch(index); },
                                     .prepare = [this](int) { timed_->renew_late(secret_); },
                                     .cold = timed_->cold()});
  remember_launch(late->launch_text());
  tally_.busy_ns +=
      late->run({.before = [this] { timed_->renew({0, 1}, draw_()); }, .behind = [this] { compare(1); }}).time_ns;
  if (auto const wrong = finding(); !wrong.empty()) {
    throw WrongOutput(
        "launches begin before the ones in front of them have ended (programmatic dependent launch), and do "
        "not wait for what these write (griddepcontrol.wait): " +
        wrong);
  }
}

device::StepReadings ProvenReplay::replay_steps() {
  next_secret();
  int const count = std::min(launches_, kMostSteps);
  int const first = static_cast<int>(draw_() % static_cast<std::uint64_t>(launches_ - count + 1));
  device::Steps steps{.first = first, .count = count, .prepare = [this](int index) {
                        timed_->renew_step(index, secret_);
                        if (timed_->cold()) backend_.empty_cache();
                      }};
  auto readings = replay_->run_steps(steps, {.before =
                                                 [&] {
                                                   timed_->renew({0, launches_}, secret_);
                                                   timed_->renew({first, count}, draw_());
                                                 },
                                             .behind = [this] { compare(launches_); }});
  auto const& times = readings.times_ns;
  if (times.empty()) return readings;
  tally_.busy_ns += std::accumulate(times.begin(), times.end(), 0.0) / count * launches_;
  if (auto const wrong = finding(); !wrong.empty()) {
    throw WrongOutput(
        "where the inputs of each launch are written right before it, so that none can be computed with an "
        "earlier one, " +
        wrong);
  }
  return readings;
}

bool ProvenReplay::runs_as_when_timed() {
  if (is_cuda()) return true;
  auto const now = replay_once(Look::drawn, Look::drawn);
  double const usual_ns = model::median(times_).value_or(NAN) * launches_;
  return !now.disturbed && std::abs(now.time_ns - usual_ns) <= kSameMachine * usual_ns;
}

void ProvenReplay::check_steps() {
  if (!applies(Defence::steps)) return;
  double const patient_until_s = seconds_of(CLOCK_MONOTONIC) + kPatienceS;
  bool disagreed = false;  // from then on it takes an undisturbed try to decide either way
  for (int tries = 0;;) {
    auto const steps = replay_steps();
    if (steps.times_ns.empty() || launches_ == 1) return;
    auto const disagreement = steps_disagree(steps.times_ns, times_, is_cuda() ? kCudaSteps : kCpuSteps);
    disagreed = disagreed || !disagreement.empty();
    bool const disturbed = steps.disturbed || (disagreed && !runs_as_when_timed());
    if (!disturbed || seconds_of(CLOCK_MONOTONIC) >= patient_until_s) {
      if (disagreement.empty()) return;
      if (++tries == kMostTries) accuse(disagreement, disturbed);
    }
    if (!is_cuda()) std::this_thread::sleep_for(kRestOfPatience);
  }
}

void ProvenReplay::accuse(std::string const& disagreement, bool disturbed) const {
  if (disturbed) {
    throw Disagreement(disagreement +
                       " (or something else used the cores all the while: time it again when the machine is quiet)");
  }
  if (is_cuda()) throw Disagreement(disagreement);
  throw device::Interference(disagreement);
}

void ProvenReplay::remember_launch(std::string const& text) {
  if (launch_text_.empty()) launch_text_ = text;
  if (text != launch_text_) {
    throw device::Interference(
        fmt::format("one recording is not what another is: it launches {}, the first one {}", text, launch_text_));
  }
}

device::Reading ProvenReplay::replay_once(Look look, Look watch) {
  next_secret();
  ++replays_;
  ++tally_.replays;
  looking_ = look == Look::sure;
  device::Surroundings around;
  around.before = [this] { timed_->renew({0, launches_}, secret_); };
  // Drawn here, when the replay is under way: no host code of the kernel runs between this and the comparison.
  around.behind = [this] {
    looking_ = looking_ || has_to_look() || drawn(draw_(), is_cuda() ? kComparedOfThousand : kComparedOfThousandCpu);
    if (looking_) compare(launches_);
  };
  around.watch_host_clock = watch == Look::sure || drawn(draw_(), kWatchedOfThousand);
  double const start_s = seconds_of(CLOCK_MONOTONIC), others_s = other_threads_s();
  auto const reading = replay_->run(around);
  replays_s_ += seconds_of(CLOCK_MONOTONIC) - start_s;
  other_threads_s_ += other_threads_s() - others_s;
  tally_.busy_ns += reading.time_ns;
  if (reading.device_ns) device_clock_.push_back({reading.time_ns, *reading.device_ns});
  if (reading.host_ns) host_clock_.push_back({reading.time_ns, *reading.host_ns});
  if (looking_) {
    ++compared_;
    ++tally_.compared;
    tally_.outputs_compared += launches_;
    conclude();
  }
  note_hand_over(reading, around.watch_host_clock);
  return reading;
}

void ProvenReplay::note_hand_over(device::Reading const& reading, bool waited) {
  auto const hand_over = timed_->hand_over();
  auto const gap = [](std::uint64_t from, std::uint64_t to) {
    return static_cast<double>(to) - static_cast<double>(from);
  };
  if (!waited && reading.first_gate_ns != 0 && hand_over.renewed_ns != 0) {
    before_.push_back(gap(hand_over.renewed_ns, reading.first_gate_ns));
  }
  if (looking_ && reading.last_gate_ns != 0 && hand_over.seized_ns != 0) {
    behind_.push_back(gap(reading.last_gate_ns, hand_over.seized_ns));
  }
}

void ProvenReplay::conclude() {
  if (auto const wrong = finding(); !wrong.empty()) {
    throw WrongOutput(fmt::format("replay {}, {}", replays_, wrong));
  }
}

device::Reading ProvenReplay::run() {
  auto const reading = replay_once(Look::drawn, Look::drawn);
  times_.push_back(reading.time_ns / launches_);
  return reading;
}

std::string ProvenReplay::host_disagreement() {
  auto const now = [this] { return clocks_disagree(host_clock_, kHostClock, "the host's clock"); };
  for (int more = 0; more < kMoreWatched && !now().empty(); ++more) replay_once(Look::drawn, Look::sure);
  return now();
}

void ProvenReplay::close() {
  auto const host_disagrees = host_disagreement();
  replay_once(Look::sure, Look::drawn);  // others that share the inputs have written new ones since
  if (auto const changed = timed_->changed_inputs(launches_, secret_); !changed.empty()) throw WrongOutput(changed);
  backend_.check_settings();
  // On a CPU, other threads may be the kernel's own, which spin on when they have done their work.
  if (applies(Defence::other_threads) && is_cuda() &&
      other_threads_s_ > kOtherThreadsShare * replays_s_ + kOtherThreadsSlackS) {
    throw device::Interference(fmt::format(
        "other threads of this process computed for {:.0f} % of the time of the replays: a thread that a launch "
        "started is still at work, and could use the device beside what is timed",
        100 * other_threads_s_ / replays_s_));
  }
  for (auto const& disagreement :
       {clocks_disagree(device_clock_, kDeviceClock, "the device's own timer"), host_disagrees,
        gaps_too_long(before_, kHandOver, "between the writing of inputs and the clock's start"),
        gaps_too_long(behind_, kHandOver, "between the clock's stop and the comparison")}) {
    if (applies(Defence::clocks) && !disagreement.empty()) throw Disagreement(disagreement);
  }
}

}  // namespace perfcheck::worker
