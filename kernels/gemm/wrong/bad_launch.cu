// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       a block has more threads than any device allows, so the launch fails and nothing runs.
// Caught by   cudaGetLastError() after the launch.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

constexpr int kTooManyThreads = 4096;

__global__ void __launch_bounds__(kTile* kTile) bad_launch(GemmArgs args) { compute_element(args, own_position(args)); }

void launch(GemmArgs const& args) { bad_launch<<<1, kTooManyThreads, 0, args.stream>>>(args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(bad_launch, .summary = "wrong: the launch configuration is invalid", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
