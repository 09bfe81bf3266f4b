// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       a `__constant__` that is a loop's trip count: how often the block's threads wait for each other in a
//             step.
// Base, slow  once; five times.
// Seen by     constants: the worker's file holds the initial value.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

__constant__ int barriers_per_step = kSlow ? 5 : 1;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) constant_value(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile<kWhole>(args, tiles, static_cast<int>(blockIdx.x), [] {
#pragma unroll 1
    for (int i = 1; i < barriers_per_step; ++i) __syncthreads();
  });
}

void launch(GemmArgs const& args) { launch_tiles(constant_value<true>, constant_value<false>, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(constant_value, .summary = "zoo: a trip count in constant memory", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
