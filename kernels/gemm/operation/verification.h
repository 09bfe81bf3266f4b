// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state.h"

#include "perfcheck/model/run.h"

namespace perfcheck::gemm {

/// Tries a kernel on every kind of data. docs/verification.md describes the checks. Throws device::DeviceError, and
/// whatever the kernel throws.
model::Verification verify_kernel(ProblemState& state, device::Backend& backend, KernelInfo const& kernel,
                                  std::uint64_t seed);

}  // namespace perfcheck::gemm
