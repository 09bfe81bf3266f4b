// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The smaller instruction: mma.sync of 16 x 8 x 4. Its fragments are half as large, so fewer
//                   registers hold operands, and a warp can begin to multiply after half as many reads.
// Previous step     prefetch_without_branch: add_tiles_of_4() instead of add_tiles().
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     2 stages of padded rows, 37 KiB (column-major B: 40); at most 128 registers, two blocks per
//                   multiprocessor.
// Intensity         As in hoisted_a: 32 FLOP per byte of global and 10.7 per byte of shared memory.
// Expected          Twice as many mma.sync (HMMA.1684 instead of HMMA.1688 in the machine code) for the same work, and
//                   the same reads. Where the smaller one takes as long as the larger, tensor cores do half as much:
//                   slower.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            As in prefetch_without_branch.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape = kStepShape;
constexpr int kSmallK = 4;

/// One element per lane. PTX, "Matrix Fragments for mma.m16n8k4".
template <BLayout kLayout>
struct SmallReads {
  using OfTiles = Tiles<kLayout, kShape>;

  static __device__ __forceinline__ void read_a(uint32_t (&a)[2], unsigned char const* tiles, int i, int k) {
    int const lane = threadIdx.x % kWarp;
    int const row = WarpPlace<kShape>().row + i * kMmaM + lane / 4;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      a[half] = element(tiles, OfTiles::a(row + half * 8, k / kChunk) + lane % 4 * 4);
    }
  }

  static __device__ __forceinline__ uint32_t read_b(unsigned char const* tiles, int j, int k) {
    int const lane = threadIdx.x % kWarp;
    int const column = WarpPlace<kShape>().column + j * kMmaN + lane / 4;
    return element(tiles, OfTiles::kRowMajor ? OfTiles::b_row(k + lane % 4, column)
                                             : OfTiles::b_column(column, k / kChunk) + lane % 4 * 4);
  }

 private:
  static __device__ __forceinline__ uint32_t element(unsigned char const* tiles, int offset) {
    uint32_t word = *reinterpret_cast<uint32_t const*>(tiles + offset);
    mma::round_to_tf32(word);
    return word;
  }
};

/// As add_tiles().
template <BLayout kLayout>
__device__ __forceinline__ void add_tiles_of_4(WarpSums<kShape>& sums, unsigned char const* tiles) {
  using Reads = SmallReads<kLayout>;
#pragma unroll
  for (int k = 0; k < kShape.tile_k; k += kSmallK) {
    uint32_t a[sums.kM][2];
#pragma unroll
    for (int i = 0; i < sums.kM; ++i) Reads::read_a(a[i], tiles, i, k);
#pragma unroll
    for (int j = 0; j < sums.kN; ++j) {
      uint32_t const b = Reads::read_b(tiles, j, k);
#pragma unroll
      for (int i = 0; i < sums.kM; ++i) ptx::mma_m16n8k4_tf32(sums.at[i][j], a[i], b);
    }
  }
}

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) m16n8k4(GemmArgs const args) {
  extern __shared__ __align__(128) unsigned char stages[];  // 2 times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  for_all_tiles<kLayout, kShape>({args, first.row, first.column}, tiles_to_cover(args.k, kShape.tile_k), stages,
                                 [&](unsigned char const* tiles) { add_tiles_of_4<kLayout>(sums, tiles); });
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(m16n8k4<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(m16n8k4_tf32, .summary = "mma.sync m16n8k4 instead of m16n8k8", .types = GemmTypes::tf32,
                      .arch = arch_at_least(8, 0), .accepts = refuse_unaligned, .launch = launch);
