// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP16 data and FP32 sums.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

PERFCHECK_GEMM_KERNEL(f16, .summary = "cuBLASLt, FP16 with FP32 accumulate", .types = perfcheck::GemmTypes::f16,
                      .library = &perfcheck::library::kCublas, .features = perfcheck::library::kCublasFeatures,
                      .reference = true, .accepts = perfcheck::library::refuse_fused_unaligned,
                      .workspace_bytes = perfcheck::library::cublas_workspace_bytes,
                      .launch_full = perfcheck::library::launch_cublas<perfcheck::GemmTypes::f16>);
