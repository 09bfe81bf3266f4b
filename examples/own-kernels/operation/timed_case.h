// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operation/row_sum.h"

#include <perfcheck/verify/engine.h>
#include <perfcheck/worker/operation.h>

#include <memory>

namespace row_sum {

/// Inputs of timed launches, in enough sets to defeat the cache; a case shares them with its reference. They are
/// written anew before every replay.
class TimedInputs {
 public:
  /// Throws perfcheck::device::DeviceError.
  TimedInputs(RowSumProblem const& problem, perfcheck::device::Backend& backend, perfcheck::verify::Engine& engine);

  RowSumProblem const& problem() const { return problem_; }
  int sets() const { return sets_; }
  perfcheck::verify::SecretMatrices const& x() const { return x_; }

 private:
  RowSumProblem problem_;
  int sets_;
  perfcheck::device::Memory memory_;
  perfcheck::verify::SecretMatrices x_;
};

std::unique_ptr<perfcheck::worker::TimedCase> make_timed_case(RowSumKernel const& kernel,
                                                              std::shared_ptr<TimedInputs> inputs,
                                                              perfcheck::device::Backend& backend,
                                                              perfcheck::verify::Engine& engine);

}  // namespace row_sum
