// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C in FP64, on tensor cores where the device has FP64 ones.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: the reference, NVIDIA's cuBLASLt with the algorithm that it recommends for the problem; see cublas_gemm.h.
#include <perfcheck/gemm.h>

#include "cublas_gemm.h"

PERFCHECK_GEMM_KERNEL(f64, .summary = "cuBLASLt, FP64", .types = perfcheck::GemmTypes::f64,
                      .library = &perfcheck::library::kCublas, .features = perfcheck::GemmFeature::batch,
                      .reference = true, .workspace_bytes = perfcheck::library::cublas_workspace_bytes,
                      .launch_full = perfcheck::library::launch_cublas<perfcheck::GemmTypes::f64>);
