// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with BF16 data and FP32 sums; BF16 or FP32 results.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
// Requires: compute capability 8.0.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

using namespace perfcheck;

PERFCHECK_GEMM_KERNEL(bf16, .summary = "cuBLASLt, BF16 with FP32 accumulate", .types = GemmTypes::bf16,
                      .arch = arch_at_least(8, 0), .library = &library::kCublas, .features = library::kCublasFeatures,
                      .reference = true, .accepts = library::refuse_fused_unaligned,
                      .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::bf16>);

PERFCHECK_GEMM_KERNEL(bf16_f32_f32, .summary = "cuBLASLt, BF16 to FP32", .types = GemmTypes::bf16_f32_f32,
                      .arch = arch_at_least(8, 0), .library = &library::kCublas, .features = GemmFeature::batch,
                      .reference = true, .accepts = library::refuse_unknown,
                      .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::bf16_f32_f32>);
