// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP16 data and FP32 sums.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

namespace {

void launch(perfcheck::GemmArgs const& args) { perfcheck::library::cublas_gemm(perfcheck::GemmTypes::f16, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(cublas_f16, .summary = "cuBLASLt, FP16 with FP32 accumulate", .types = perfcheck::GemmTypes::f16,
                      .library = &perfcheck::library::kCublas,
                      .workspace_bytes = perfcheck::library::cublas_workspace_bytes, .launch = launch);
