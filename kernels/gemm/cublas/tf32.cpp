// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
// Requires: compute capability 8.0 and an environment that does not keep cuBLAS from using TF32.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

PERFCHECK_GEMM_KERNEL(tf32, .summary = "cuBLASLt, TF32", .types = perfcheck::GemmTypes::tf32,
                      .arch = perfcheck::arch_at_least(8, 0), .library = &perfcheck::library::kCublas,
                      .features = perfcheck::GemmFeature::batch, .reference = true,
                      .accepts = perfcheck::library::refuse_overrides,
                      .workspace_bytes = perfcheck::library::cublas_workspace_bytes,
                      .launch_full = perfcheck::library::launch_cublas<perfcheck::GemmTypes::tf32>);
