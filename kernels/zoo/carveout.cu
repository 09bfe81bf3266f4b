// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       a setting of the function: how much of a multiprocessor's memory is set aside as shared memory.
// Base, slow  as much as two blocks need; so little that only one is resident.
// Seen by     attributes; the effect on occupancy is reported as well.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

/// Percent of a multiprocessor's maximum. The driver takes the next larger size that it supports, at least enough for
/// one block.
constexpr int kCarveout = kSlow ? 8 : 50;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) carveout(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile<kWhole>(args, tiles, static_cast<int>(blockIdx.x));
}

void launch(GemmArgs const& args) {
  for (auto const kernel : {carveout<true>, carveout<false>}) {
    PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, kCarveout));
  }
  launch_tiles(carveout<true>, carveout<false>, args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(carveout, .summary = "zoo: the share of shared memory", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
