// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operation/row_sum.h"

#include <perfcheck/verify/engine.h>

namespace row_sum {

/// Every check of one kernel on one problem; README.md lists them. Throws perfcheck::device::DeviceError.
perfcheck::model::Verification verify_kernel(RowSumKernel const& kernel, RowSumProblem const& problem,
                                             perfcheck::device::Backend& backend, perfcheck::verify::Engine& engine,
                                             std::uint64_t seed);

}  // namespace row_sum
