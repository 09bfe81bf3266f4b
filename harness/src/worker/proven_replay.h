// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays whose results are proven: each runs on inputs that were drawn for it alone and into poisoned outputs, and
// everything that it wrote is compared. On a CPU, only replays that a later draw selects are compared (docs/trust.md).
#pragma once

#include "clocks.h"
#include "perfcheck/worker/operation.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfcheck::worker {

using DrawSecret = std::function<std::uint64_t()>;

/// A replay left a wrong output; what() says where and how.
class WrongOutput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What the replays of a case and of its reference add up to.
struct ReplayTally {
  int replays = 0, compared = 0;
  std::int64_t outputs_compared = 0;
  double busy_ns = 0;  ///< time for which they kept the device busy
};

/// Numbers that should agree do not. Something else that used the machine may be the reason, so it takes several
/// timings to accuse a kernel (measure_case.cpp).
class Disagreement : public device::Interference {
 public:
  using device::Interference::Interference;
};

/// A kernel with its buffers, recorded as often as a replay needs to be long enough, and replayed.
class ProvenReplay final {
 public:
  ProvenReplay(device::Backend& backend, std::unique_ptr<TimedCase> timed, ReplayTally& tally, DrawSecret draw);

  /// One launch on set 0, outside of a recording: libraries build their plans, modules are loaded. Its output is
  /// compared. Returns how long it took, including all overhead, in nanoseconds. Throws WrongOutput,
  /// device::DeviceError.
  double launch_once();
  /// Records `launches` launches, each on a set of its own, followed by `extra_ns` of waiting. Throws
  /// device::Interference when they are not what was recorded before.
  void record(int launches, double extra_ns);
  int launches() const { return launches_; }
  /// Most launches that can be recorded.
  int most_launches() const { return std::min(timed_->sets(), kMostLaunches); }

  /// Replays once what was recorded last. Throws WrongOutput, device::DeviceError, device::Interference.
  device::Reading run();
  /// Replays once more, compares everything, and checks inputs, clocks and settings of the device, over all replays.
  /// Throws as run(), and Disagreement.
  void close();
  /// Checks that each launch does its own work, and takes as long on its own as among many, with inputs that are
  /// written only when the launch before has ended. To be called after the last run(). Throws WrongOutput,
  /// Disagreement; on a core that nothing else used device::Interference.
  void check_steps();
  std::vector<model::LaunchAttributes> attributes() const { return replay_->attributes(); }
  /// One launch as text; empty on the CPU.
  std::string const& launch_text() const { return launch_text_; }
  double clock_deviation() const { return median_deviation(device_clock_); }

 private:
  enum class Look { drawn, sure };
  /// `look`: whether outputs are compared; `watch`: whether the host's clock is read.
  device::Reading replay_once(Look look, Look watch);
  /// Replays a few times more before it says that the host's clock disagrees.
  std::string host_disagreement();
  bool is_cuda() const { return backend_.name() == "cuda"; }
  bool has_to_look() const { return 4 * compared_ + 3 < replays_; }
  void next_secret();
  /// Enqueues a comparison, with a draw of its own.
  void compare(int launches);
  /// Waits. What the last comparison found wrong.
  std::string finding();
  void conclude();
  void note_hand_over(device::Reading const& reading, bool waited);
  /// All recordings of a case must launch the same.
  void remember_launch(std::string const& text);
  /// Checks that launches that may begin early wait for what is written before them.
  void check_overlap();
  /// Replays once, launch by launch. Returns how long launches took that had the device and their inputs to themselves.
  /// Throws WrongOutput.
  device::StepReadings replay_steps();
  /// On a CPU, whether another replay takes as long as those that were timed.
  bool runs_as_when_timed();
  /// Throws because launches on their own do not take as long as among many.
  [[noreturn]] void accuse(std::string const& disagreement, bool disturbed) const;

  device::Backend& backend_;
  std::unique_ptr<TimedCase> timed_;
  ReplayTally& tally_;
  DrawSecret draw_;
  std::unique_ptr<device::Replay> replay_;
  std::string launch_text_;
  int launches_ = 0;
  int replays_ = 0, compared_ = 0;
  std::uint64_t secret_ = 0;
  std::vector<double> times_;  ///< per launch, of what was recorded last
  bool looking_ = false, overlap_checked_ = false;
  std::vector<ClockPair> device_clock_, host_clock_;
  double replays_s_ = 0, other_threads_s_ = 0;
  std::vector<double> before_, behind_;  ///< from inputs to clock, from clock to comparison
};

}  // namespace perfcheck::worker
