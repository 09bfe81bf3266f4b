// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP32 data, products and sums.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
// Requires: an environment that does not make cuBLAS use TF32 or emulate FP32. The compute type is "32F pedantic",
//   checked against what the chosen algorithm reports of itself.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

PERFCHECK_GEMM_KERNEL(f32, .summary = "cuBLASLt, FP32 without TF32", .types = perfcheck::GemmTypes::f32,
                      .library = &perfcheck::library::kCublas, .features = perfcheck::GemmFeature::batch,
                      .reference = true, .accepts = perfcheck::library::refuse_overrides,
                      .workspace_bytes = perfcheck::library::cublas_workspace_bytes,
                      .launch_full = perfcheck::library::launch_cublas<perfcheck::GemmTypes::f32>);
