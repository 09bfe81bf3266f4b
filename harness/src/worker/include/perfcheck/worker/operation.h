// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operation (GEMM, or a team's own) tells the worker. The harness core knows nothing more of it.
#pragma once

#include <perfcheck/kernel.h>

#include "perfcheck/device/backend.h"
#include "perfcheck/model/run.h"

#include <memory>
#include <string>
#include <string_view>

namespace perfcheck::worker {

/// Sets of buffers that timed launches should reach, where memory and time allow. A process gets its pages where the
/// device has some, and which memory channels and cache slices serve a buffer then differs from set to set and from
/// process to process, by 6 % for the worst kernel seen (docs/design.md). Several places average that out.
inline constexpr int kPlaces = 24;

/// A kernel set up to be timed on a problem: inputs in memory, rotated over enough copies to defeat the cache.
class TimedCase {
 public:
  virtual ~TimedCase() = default;
  /// Enqueues launch number `index` (it picks the copy of the inputs: index modulo copies). Does not wait.
  virtual void launch(int index) = 0;
  /// Different sets of buffers it rotates over.
  virtual int copies() const = 0;
  /// After timing: is the output that the timed launches left still right?
  virtual model::Check check_output() = 0;
};

/// One problem on one device; may cache reference results between kernels.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string text() const = 0;
  virtual model::Work work() const = 0;
  /// Key into DeviceInfo::peak_tflops.
  virtual std::string arithmetic() const = 0;
  /// Does this kernel compute this kind of problem at all (data types)? If not, there is no case.
  virtual bool concerns(KernelInfo const& kernel) const = 0;
  /// Why a kernel that is concerned refuses this very problem.
  virtual Refusal refusal(KernelInfo const& kernel) const = 0;
  /// The case that `kernel`'s time is compared with in the same rounds; itself for a control. Empty kernel id when the
  /// program holds no reference: the case is then its own control.
  virtual model::CaseName reference(KernelInfo const& kernel) const = 0;
  /// Every check of verification; stops at nothing, so that a report shows all that is wrong.
  /// Throws device::DeviceError.
  virtual model::Verification verify(device::Backend& backend, KernelInfo const& kernel, uint64_t seed) = 0;
  virtual std::unique_ptr<TimedCase> prepare(device::Backend& backend, KernelInfo const& kernel, uint64_t seed) = 0;
};

class Operation {
 public:
  virtual ~Operation() = default;
  virtual std::string name() const = 0;
  /// Throws std::invalid_argument that names the wrong part and what may stand there.
  virtual std::unique_ptr<Problem> parse(std::string_view text) const = 0;
};

}  // namespace perfcheck::worker
