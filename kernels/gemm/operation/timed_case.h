// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state.h"

#include "perfcheck/worker/operation.h"

namespace perfcheck::gemm {

/// Buffers for timed launches of one kernel. Inputs are shared with the problem's other kernels; outputs are its own.
std::unique_ptr<worker::TimedCase> make_timed_case(std::shared_ptr<ProblemState> state, device::Backend& backend,
                                                   KernelInfo const& kernel, std::uint64_t seed);

}  // namespace perfcheck::gemm
