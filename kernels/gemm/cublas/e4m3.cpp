// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP8 (E4M3) data, FP32 sums and BF16 results; without scale factors, and
// with scale factors of A and B for the whole matrix, for each row and column, or for 1 x 128 and 128 x 128 elements.
// Layouts: A row-major, B column-major, C and D row-major; rows aligned to 16 bytes.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h. Fast
// accumulation, which makes sums less precise (CUBLASLT_MATMUL_DESC_FAST_ACCUM), is on for the types that say so, with
// sums of tc14, and off for all others.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

using namespace perfcheck;

PERFCHECK_GEMM_KERNEL(e4m3, .summary = "cuBLASLt, FP8 (E4M3) to BF16", .types = GemmTypes::e4m3_f32_bf16,
                      .arch = arch_at_least(8, 9), .library = &library::kCublas, .reference = true,
                      .accepts = library::refuse_unaligned, .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::e4m3_f32_bf16>);

PERFCHECK_GEMM_KERNEL(e4m3_tc14, .summary = "cuBLASLt, FP8 (E4M3) to BF16, fast accumulation",
                      .types = GemmTypes::e4m3_tc14_bf16, .arch = arch_at_least(8, 9), .library = &library::kCublas,
                      .reference = true, .accepts = library::refuse_unaligned,
                      .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::e4m3_tc14_bf16>);

PERFCHECK_GEMM_KERNEL(e4m3_scale, .summary = "cuBLASLt, FP8 (E4M3) to BF16, scaled tensors",
                      .types = GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::tensor), .arch = arch_at_least(8, 9),
                      .library = &library::kCublas, .reference = true, .accepts = library::refuse_unaligned,
                      .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::tensor)>);

PERFCHECK_GEMM_KERNEL(e4m3_scalerow, .summary = "cuBLASLt, FP8 (E4M3) to BF16, scaled rows",
                      .types = GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::rows), .arch = arch_at_least(8, 9),
                      .library = &library::kCublas, .reference = true, .accepts = library::refuse_unaligned,
                      .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::rows)>);

PERFCHECK_GEMM_KERNEL(e4m3_scale128, .summary = "cuBLASLt, FP8 (E4M3) to BF16, scaled blocks",
                      .types = GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::blocks), .arch = arch_at_least(8, 9),
                      .library = &library::kCublas, .reference = true, .accepts = library::refuse_blocks,
                      .workspace_bytes = library::cublas_workspace_bytes,
                      .launch_full = library::launch_cublas<GemmTypes::e4m3_f32_bf16.scaled(GemmScaling::blocks)>);
