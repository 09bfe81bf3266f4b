// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation GEMM as a worker sees it.
#pragma once

#include "perfcheck/worker/operation.h"

#include <memory>

namespace perfcheck {

/// GEMM on the CPU.
std::unique_ptr<worker::Operation> make_gemm_operation();
/// GEMM on CUDA devices, and on the CPU. Defined in programs that link perfcheck::worker_cuda.
std::unique_ptr<worker::Operation> make_gemm_operation_cuda();

}  // namespace perfcheck
