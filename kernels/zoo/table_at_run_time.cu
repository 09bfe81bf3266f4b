// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       as device_table, but filled by host code before the first launch: the file holds zeros in both builds.
// Base, slow  sums up all of k at once; 128 at a time.
// Seen by     nothing: the contents of a `__device__` variable may change with every launch, so they are not hashed.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

__device__ int part_of_row[4];

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) table_at_run_time(GemmArgs args) {
  __shared__ Tiles tiles;
  int const tile = static_cast<int>(blockIdx.x);
  int const row = tile / tiles_to_cover(args.n, kTile);
  compute_tile_in_parts<kWhole>(args, tiles, tile, part_of_row[row % 4]);
}

/// Called once, by the first launch, which is not recorded.
void fill_table(Stream stream) {
  constexpr int kAll = 1 << 30;
  constexpr int kPart = kSlow ? 128 : kAll;
  int const parts[4] = {kPart, kPart, kPart, kPart};
  PERFCHECK_CUDA(cudaMemcpyToSymbolAsync(part_of_row, parts, sizeof(parts), 0, cudaMemcpyHostToDevice, stream));
}

void launch(GemmArgs const& args) {
  [[maybe_unused]] static bool const filled = (fill_table(args.stream), true);
  launch_tiles(table_at_run_time<true>, table_at_run_time<false>, args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(table_at_run_time, .summary = "zoo: a table that the host fills", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
