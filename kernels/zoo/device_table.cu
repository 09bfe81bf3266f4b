// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       a `__device__` table of tuned values: the length of the parts in which a row of tiles sums up k.
// Base, slow  all of k at once; 128 at a time, each added to D in memory.
// Seen by     constants: the worker's file holds the table's initial contents.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

constexpr int kAll = 1 << 30;
constexpr int kPart = kSlow ? 128 : kAll;
__device__ int part_of_row[4] = {kPart, kPart, kPart, kPart};

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) device_table(GemmArgs args) {
  __shared__ Tiles tiles;
  int const tile = static_cast<int>(blockIdx.x);
  int const row = tile / tiles_to_cover(args.n, kTile);
  compute_tile_in_parts<kWhole>(args, tiles, tile, part_of_row[row % 4]);
}

void launch(GemmArgs const& args) { launch_tiles(device_table<true>, device_table<false>, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(device_table, .summary = "zoo: a table in the program's file", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
