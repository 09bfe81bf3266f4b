// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The prefetch needs no branch either: it is harmless past the end. cp.async takes the number of
//                   bytes to read from a register and fills the rest of its 16 with zeros, so one form serves tiles
//                   inside the matrices, tiles across their edge, and those past the last one, of which it reads
//                   nothing.
// Previous step     wait_without_branch: copy_next_straight() (tile_copy.cuh) in place of copy_next(), for every tile;
//                   the loop is for_all_tiles() of tf32_tile.cuh, which the next steps use as well.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     2 stages of padded rows, 37 KiB (column-major B: 40); at most 128 registers, two blocks per
//                   multiprocessor.
// Intensity         As in hoisted_a: 32 FLOP per byte of global and 10.7 per byte of shared memory.
// Expected          Three branches less per tile: is there one more tile, and do all elements of A's, and of B's,
//                   exist. Each copy needs a compare and a select more, and still the loop is shorter, by the copies of
//                   incomplete tiles: 238 instructions (row-major B: 272), of which 32 are mma.sync. A few percent.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            One tile ahead, two barriers per tile, and reads of 4 bytes per lane.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape = kStepShape;

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) prefetch_without_branch(GemmArgs const args) {
  extern __shared__ __align__(128) unsigned char stages[];  // 2 times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  for_all_tiles<kLayout, kShape>({args, first.row, first.column}, tiles_to_cover(args.k, kShape.tile_k), stages,
                                 [&](unsigned char const* tiles) { add_tiles<kLayout>(sums, tiles); });
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(prefetch_without_branch<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(prefetch_without_branch_tf32, .summary = "copies of every tile started alike, none past the end",
                      .types = GemmTypes::tf32, .arch = arch_at_least(8, 0), .accepts = refuse_unaligned,
                      .launch = launch);
