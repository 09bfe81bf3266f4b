// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       as constant_value, but host code writes the value before the first launch: the worker's file holds the
//             same in both builds.
// Base, slow  threads of a block wait for each other once in a step; five times.
// Seen by     constants: constant memory is read from the device.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

__constant__ int barriers_per_step;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) constant_at_run_time(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile<kWhole>(args, tiles, static_cast<int>(blockIdx.x), [] {
#pragma unroll 1
    for (int i = 1; i < barriers_per_step; ++i) __syncthreads();
  });
}

/// Called once, by the first launch, which is not recorded.
void write_constant(Stream stream) {
  int const value = kSlow ? 5 : 1;
  PERFCHECK_CUDA(cudaMemcpyToSymbolAsync(barriers_per_step, &value, sizeof(value), 0, cudaMemcpyHostToDevice, stream));
}

void launch(GemmArgs const& args) {
  [[maybe_unused]] static bool const written = (write_constant(args.stream), true);
  launch_tiles(constant_at_run_time<true>, constant_at_run_time<false>, args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(constant_at_run_time, .summary = "zoo: a trip count that the host writes",
                      .types = GemmTypes::f32, .accepts = refuse_column_major_b, .launch = launch);
