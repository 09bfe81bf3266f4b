// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP16 data: FP32 sums with FP16 or FP32 results, and FP16 sums.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

using namespace perfcheck;

PERFCHECK_GEMM_KERNEL(f16, .summary = "cuBLASLt, FP16 with FP32 accumulate", .types = GemmTypes::f16,
                      .library = &library::kCublas, .features = library::kCublasFeatures, .reference = true,
                      .accepts = library::refuse_fused_unaligned, .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::f16>);

PERFCHECK_GEMM_KERNEL(f16_f32_f32, .summary = "cuBLASLt, FP16 to FP32", .types = GemmTypes::f16_f32_f32,
                      .library = &library::kCublas, .features = GemmFeature::batch, .reference = true,
                      .accepts = library::refuse_unknown, .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::f16_f32_f32>);

PERFCHECK_GEMM_KERNEL(f16_f16, .summary = "cuBLASLt, FP16 with FP16 accumulate", .types = GemmTypes::f16_f16,
                      .library = &library::kCublas, .features = GemmFeature::batch, .reference = true,
                      .accepts = library::refuse_unknown, .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::f16_f16>);
