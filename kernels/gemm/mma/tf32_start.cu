// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The starting point of the TF32 steps: mma.sync from tiles in shared memory, two of them, of which
//                   cp.async fills one while the other is multiplied. As a first version is written: fragments of A are
//                   read where they are needed, in the loop over the fragments of B, and what must not happen past the
//                   last tile stands behind a branch.
// Previous step     The FP16 step cp_async, with elements of 4 bytes: mma.sync of 16 x 8 x 8, whose operands are
//                   rounded to TF32, and fragments that are read element by element.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     2 stages of padded rows, 37 KiB (column-major B: 40); at most 128 registers, two blocks per
//                   multiprocessor.
// Intensity         Global: 32 FLOP per byte. Shared: for 8 k, a warp reads 16 fragments of A (512 bytes each, the same
//                   two eight times) and 8 of B (256 bytes): 32 KiFLOP for 10 KiB, 3.2 FLOP per byte.
// Expected          Shared memory: 128 bytes per cycle allow 3.2 * 33 TB/s = 107 TFLOP/s. So does instruction issue:
//                   every fragment of A is also rounded eight times, and of some 600 instructions per tile and warp, 32
//                   are mma.sync.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            Fragments of A are read and rounded once for each fragment of B. nvcc would read them only once,
//                   see hoisted_a: so they are read through a volatile pointer.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape = kStepShape;

/// Adds the product of two tiles to the sums.
template <BLayout kLayout>
__device__ __forceinline__ void add_tiles_reading_a_again(WarpSums<kShape>& sums, unsigned char const* tiles) {
  using ReadsA = PlainReads<kLayout, kShape, uint32_t const volatile>;
  using ReadsB = PlainReads<kLayout, kShape>;
#pragma unroll
  for (int k = 0; k < kShape.tile_k; k += kMmaK) {
#pragma unroll
    for (int j = 0; j < sums.kN; ++j) {
      uint32_t b[2];
      ReadsB::read_b(b, tiles, j, k);
#pragma unroll
      for (int i = 0; i < sums.kM; ++i) {
        uint32_t a[4];
        ReadsA::read_a(a, tiles, i, k);
        ptx::mma_m16n8k8_tf32(sums.at[i][j], a, b[0], b[1]);
      }
    }
  }
}

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) start(GemmArgs const args) {
  constexpr int kBytes = Tiles<kLayout, kShape>::kBytes;
  extern __shared__ __align__(128) unsigned char stages[];  // 2 times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  AsyncTiles<kLayout, kShape> copy(args, first.row, first.column);
  int const k_tiles = tiles_to_cover(args.k, kShape.tile_k);
  copy.copy_next(stages);
  ptx::cp_async_commit();
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
    if (tile + 1 < k_tiles) {
      copy.copy_next(stages + (tile + 1) % 2 * kBytes);
      ptx::cp_async_commit();
      ptx::cp_async_wait<1>();  // those just started may still be on their way
    } else {
      ptx::cp_async_wait<0>();
    }
    __syncthreads();  // the tiles have arrived for all threads
    add_tiles_reading_a_again<kLayout>(sums, stages + tile % 2 * kBytes);
    __syncthreads();  // no warp reads them any more
  }
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(start<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(start_tf32,
                      .summary = "mma.sync m16n8k8 TF32, two stages of cp.async, A read again for every fragment of B",
                      .types = GemmTypes::tf32, .arch = arch_at_least(8, 0), .accepts = refuse_unaligned,
                      .launch = launch);
