// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operation (GEMM, or a team's own) tells the worker. The harness core knows nothing more about it.
#pragma once

#include <perfcheck/kernel.h>

#include "perfcheck/device/backend.h"
#include "perfcheck/model/run.h"
#include "perfcheck/verify/secret_data.h"
#include "perfcheck/worker/sealed_case.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::worker {

/// Sets of buffers that timed launches should reach, where memory and time allow. A process gets its pages wherever the
/// device has some, so the memory channels and cache slices that serve a buffer differ from set to set and from process
/// to process; the effect is 6 % for the worst kernel seen (docs/design.md). Several places average that out.
inline constexpr int kPlaces = 24;

/// More launches than this in one recording cost more to capture than they gain in precision.
inline constexpr int kMostLaunches = 1000;

/// When inputs were written and when outputs were taken, by the device's timer in nanoseconds; 0 where it has none.
struct HandOver {
  std::uint64_t renewed_ns = 0;  ///< the last renew() had written everything
  std::uint64_t seized_ns = 0;   ///< the last compare() had the device to itself
};

/// A kernel set up to be timed on a problem: sets of inputs, outputs and workspaces, one for each launch of a replay.
/// What makes timing honest lies in the harness (docs/trust.md); an operation only writes its inputs, poisons its
/// outputs and compares them. Nothing waits for the device unless it says so.
class TimedCase {
 public:
  virtual ~TimedCase() = default;
  /// Number of different sets of buffers, at least one. Replays use the first ones.
  virtual int sets() const = 0;
  /// Enqueues a launch on one set.
  virtual void launch(int set) = 0;
  /// False when inputs should be in the cache.
  virtual bool cold() const { return true; }
  /// Enqueues: writes all inputs of these sets anew, as only `secret` tells (verify/secret_data.h), and poisons their
  /// outputs and workspaces (verify::Engine::renew does both at once).
  virtual void renew(verify::SetRange sets, std::uint64_t secret) = 0;
  /// Enqueues the same for one set, right before a launch that is timed on its own (verify::Engine::renew_step).
  virtual void renew_step(int set, std::uint64_t secret) { renew({set, 1}, secret); }
  /// Enqueues the same for set 0 alone as a kernel that lets the next launch begin before it has written anything,
  /// where the device has such launches (programmatic dependent launch).
  virtual void renew_late(std::uint64_t secret) = 0;
  /// Enqueues: compares every output of sets 0 to `sets` - 1 with the result that inputs made from `secret` must have.
  /// `draw`, drawn after the outputs were written or while they were, decides whatever is left to chance.
  virtual void compare(int sets, std::uint64_t secret, std::uint64_t draw) = 0;
  /// Waits. What compare() found wrong, as a sentence; empty when everything is right. Throws device::Interference.
  virtual std::string finding() = 0;
  /// The times of the last replay, after it was waited for.
  virtual HandOver hand_over() { return {}; }
  /// Waits. What launches changed in these inputs, as a sentence; empty when nothing.
  virtual std::string changed_inputs(int sets, std::uint64_t secret) = 0;
};

/// One problem on one device; may cache reference results between kernels.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string text() const = 0;
  virtual model::Work work() const = 0;
  /// Key into DeviceInfo::peak_tflops.
  virtual std::string arithmetic() const = 0;
  /// What the text means, for tables and pages, which do not read it: {{"types", "f16.f32"}, {"m", 4096}, ...}.
  virtual std::vector<model::Axis> axes() const { return {}; }
  /// Does this kernel compute this kind of problem at all (data types)? If not, there is no case.
  virtual bool concerns(KernelInfo const& kernel) const = 0;
  /// Why a kernel that computes this kind of problem refuses this one.
  virtual Refusal refusal(KernelInfo const& kernel) const = 0;
  /// The case that `kernel`'s time is compared with in the same rounds; itself for a control. Empty kernel id when the
  /// program holds no reference: the case is then its own control.
  virtual model::CaseName reference(KernelInfo const& kernel) const = 0;
  /// Makes every check of verification and does not stop at a failure, so that a report shows all that is wrong. Throws
  /// device::DeviceError.
  virtual model::Verification verify(device::Backend& backend, KernelInfo const& kernel, uint64_t seed) = 0;
  /// For timing. Its inputs come from secrets that are drawn for each replay, not from a seed.
  virtual std::unique_ptr<TimedCase> prepare(device::Backend& backend, KernelInfo const& kernel) = 0;

  /// For sealed timing; an operation has both or none, and returns null for none. Where `kernel` is null, the case has
  /// what a launch needs besides the kernel.
  virtual std::unique_ptr<SealedCase> prepare_sealed(device::Backend& /*backend*/, KernelInfo const* /*kernel*/) {
    return nullptr;
  }
  virtual std::unique_ptr<SealedProof> prove_sealed(device::Backend& /*backend*/) { return nullptr; }
};

class Operation {
 public:
  virtual ~Operation() = default;
  virtual std::string name() const = 0;
  /// Throws std::invalid_argument, which names the wrong part and what is allowed there.
  virtual std::unique_ptr<Problem> parse(std::string_view text) const = 0;
};

}  // namespace perfcheck::worker
