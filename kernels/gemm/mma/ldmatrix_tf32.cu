// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              ldmatrix for elements of 4 bytes. It moves rows of 16 bytes, and a lane receives 4 bytes of one:
//                   two FP16 elements or one float. So one ldmatrix reads a fragment of A, or two of column-major B,
//                   where four reads of a float per lane did before.
// Previous step     prefetch_without_branch: MatrixReads (tf32_ldmatrix.cuh) instead of PlainReads.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     2 stages of padded rows, 37 KiB (column-major B: 40); at most 128 registers, two blocks per
//                   multiprocessor.
// Intensity         As in hoisted_a: 32 FLOP per byte of global and 10.7 per byte of shared memory.
// Expected          For 8 k, 6 instead of 24 reads with column-major B, and 18 with row-major B; as many bytes, and as
//                   many instructions that round.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            ldmatrix.trans exchanges elements of 2 bytes, so row-major B is read as before (wide_tile_tf32 has
//                   another way).
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_ldmatrix.cuh"
#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape = kStepShape;

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) ldmatrix_tf32(GemmArgs const args) {
  extern __shared__ __align__(128) unsigned char stages[];  // 2 times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  for_all_tiles<kLayout, kShape>({args, first.row, first.column}, tiles_to_cover(args.k, kShape.tile_k), stages,
                                 [&](unsigned char const* tiles) { add_tiles_by_ldmatrix<kLayout>(sums, tiles); });
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(ldmatrix_tf32<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(ldmatrix_tf32, .summary = "fragments of A and column-major B by ldmatrix",
                      .types = GemmTypes::tf32, .arch = arch_at_least(8, 0), .accepts = refuse_unaligned,
                      .launch = launch);
