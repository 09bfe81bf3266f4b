// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with INT8 data, INT32 sums and INT32 results.
// Layouts: A row-major, B column-major, C and D row-major; rows aligned to 16 bytes.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

PERFCHECK_GEMM_KERNEL(s8, .summary = "cuBLASLt, INT8 with INT32 sums", .types = perfcheck::GemmTypes::s8_s32,
                      .arch = perfcheck::arch_at_least(8, 0), .library = &perfcheck::library::kCublas,
                      .reference = true, .accepts = perfcheck::library::refuse_unaligned,
                      .workspace_bytes = perfcheck::library::cublas_workspace_bytes,
                      .launch_full = perfcheck::library::launch_cublas<perfcheck::GemmTypes::s8_s32>);
