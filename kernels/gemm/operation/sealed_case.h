// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Both sides of sealed timing for GEMM.
#pragma once

#include "state.h"

#include "perfcheck/worker/sealed_case.h"

namespace perfcheck::gemm {

/// `kernel` may be null. Throws device::DeviceError.
std::unique_ptr<worker::SealedCase> make_sealed_case(std::shared_ptr<ProblemState> state, device::Backend& backend,
                                                     KernelInfo const* kernel);
std::unique_ptr<worker::SealedProof> make_sealed_proof(std::shared_ptr<ProblemState> state, device::Backend& backend);

}  // namespace perfcheck::gemm
