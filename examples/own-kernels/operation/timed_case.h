// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operation/row_sum.h"

#include <perfcheck/verify/engine.h>
#include <perfcheck/worker/operation.h>

#include <memory>

namespace row_sum {

/// Inputs of timed launches, in enough copies to defeat the cache; a case shares them with its reference.
class TimedInputs {
 public:
  /// Throws perfcheck::device::DeviceError.
  TimedInputs(RowSumProblem const& problem, perfcheck::device::Backend& backend, perfcheck::verify::Engine& engine,
              std::uint64_t seed);

  RowSumProblem const& problem() const { return problem_; }
  std::uint64_t seed() const { return seed_; }
  int copies() const { return copies_; }
  perfcheck::verify::MatrixView copy(int index) const;
  /// Whether no bit changed since they were made.
  bool untouched(perfcheck::verify::Engine& engine) const;

 private:
  RowSumProblem problem_;
  std::uint64_t seed_;
  int copies_;
  std::size_t copy_bytes_;
  perfcheck::device::Memory memory_;
  std::uint64_t fingerprint_ = 0;
};

std::unique_ptr<perfcheck::worker::TimedCase> make_timed_case(RowSumKernel const& kernel,
                                                              std::shared_ptr<TimedInputs> inputs,
                                                              perfcheck::device::Backend& backend,
                                                              perfcheck::verify::Engine& engine);

}  // namespace row_sum
