// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with BF16 data and FP32 sums.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
// Requires: compute capability 8.0.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

PERFCHECK_GEMM_KERNEL(bf16, .summary = "cuBLASLt, BF16 with FP32 accumulate", .types = perfcheck::GemmTypes::bf16,
                      .arch = perfcheck::arch_at_least(8, 0), .library = &perfcheck::library::kCublas,
                      .features = perfcheck::library::kCublasFeatures, .reference = true,
                      .accepts = perfcheck::library::refuse_fused_unaligned,
                      .workspace_bytes = perfcheck::library::cublas_workspace_bytes,
                      .launch_full = perfcheck::library::launch_cublas<perfcheck::GemmTypes::bf16>);
