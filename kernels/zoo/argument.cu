// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       an argument of the kernel: the length of the parts in which k is summed up.
// Base, slow  all of k at once; 128 at a time, each added to D in memory.
// Seen by     arguments.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) argument(GemmArgs args, int part) {
  __shared__ Tiles tiles;
  compute_tile_in_parts<kWhole>(args, tiles, static_cast<int>(blockIdx.x), part);
}

void launch(GemmArgs const& args) {
  constexpr int kAll = 1 << 30;
  launch_tiles(argument<true>, argument<false>, args, kSlow ? 128 : kAll);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(argument, .summary = "zoo: an argument", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
