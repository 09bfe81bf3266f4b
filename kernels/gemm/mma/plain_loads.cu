// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The instruction that WMMA hides: mma.sync multiplies 16 x 16 by 16 x 8, and its manual says which
//                   lane holds which elements. So a warp can read its operands by ordinary loads, two neighbouring
//                   elements at a time. Elements that lie along k are neighbours in A and column-major B; from
//                   row-major B, they are read one by one.
// Previous step     wmma/many_fragments: load_fragments_plainly() and mma.sync instead of nvcuda::wmma. Tiles still
//                   pass through registers into one of two stages while the other is multiplied.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     32 KiB, rows of 64 bytes (row-major B: 256); at most 255 registers; two blocks share a
//                   multiprocessor.
// Intensity         64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          Four lanes of every load want different words of the same bank: a k-step of a warp, 131072 FLOP,
//                   takes 128 cycles of shared memory with column-major B and 192 with row-major B, which allows 270
//                   and 180 TFLOP/s at 1980 MHz.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            32 or 48 loads, and 16 instructions that join elements of row-major B, for 32 mma.sync.
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = 2, .blocks = 2};

/// Reads two neighbouring elements.
__device__ __forceinline__ uint32_t read_pair(unsigned char const* elements) {
  return *reinterpret_cast<uint32_t const*>(elements);
}

/// Reads an element and the one `distance` bytes further, which becomes the upper half.
__device__ __forceinline__ uint32_t read_two(unsigned char const* element, int distance) {
  uint32_t const lower = *reinterpret_cast<uint16_t const*>(element);
  return lower | uint32_t{*reinterpret_cast<uint16_t const*>(element + distance)} << 16;
}

/// Loads the fragments of k-step `step`. PTX, "Matrix Fragments for mma.m16n8k16 with floating point type": each
/// register holds two neighbours along k, from k = 2(lane % 4) on. A's are in row lane / 4 (registers 0 and 2) and 8
/// rows below (1 and 3), the last two 8 k further; B's are in column lane / 4, the second one 8 k further.
template <class OfTiles>
__device__ __forceinline__ void load_fragments_plainly(Fragments<kShape>& fragments, unsigned char const* tiles,
                                                       int step) {
  int const lane = threadIdx.x % 32;
  int const k = step * kMmaK + lane % 4 * 2;
  WarpPlace<kShape> const warp;
#pragma unroll
  for (int i = 0; i < kShape.mmas_m(); ++i) {
    int const row = warp.row + i * kMmaM + lane / 4;
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      fragments.a[i][part] = read_pair(tiles + OfTiles::a(row + part % 2 * 8, k + part / 2 * 8));
    }
  }
#pragma unroll
  for (int j = 0; j < kShape.mmas_n(); ++j) {
    int const column = warp.column + j * kMmaN + lane / 4;
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      unsigned char const* const from = tiles + OfTiles::b(k + part * 8, column);
      // Neighbours along k lie in neighbouring rows of row-major B.
      fragments.b[j / 2][j % 2 * 2 + part] =
          OfTiles::kRowMajor ? read_two(from, OfTiles::PlaceB::kStride) : read_pair(from);
    }
  }
}

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) plain_loads(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, Unpadded>;
  __shared__ __align__(128) unsigned char stages[kShape.stages][OfTiles::kBytes];

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  Sums<kShape> sums;
  RegisterTiles<T, OfTiles> next(args, row, column);
  next.read_next();
  int const k_tiles = tiles_to_cover(args.k, kShape.tile_k);
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
    // One barrier is enough: since the previous one, no warp reads this stage, which was filled two tiles ago.
    unsigned char* const tiles = stages[tile % kShape.stages];
    next.store(tiles);
    __syncthreads();
    next.read_next();  // zeros after the last tile
#pragma unroll
    for (int step = 0; step < kShape.k_steps(); ++step) {
      Fragments<kShape> fragments;
      load_fragments_plainly<OfTiles>(fragments, tiles, step);
      multiply<T, kShape>(sums, fragments);
    }
  }
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kShape>(args, row, column, stages, sums);
}

template <class T>
void launch(GemmArgs const& args) {
  launch_tiles<kShape>(
      args.b_layout == BLayout::row_major ? plain_loads<T, BLayout::row_major> : plain_loads<T, BLayout::column_major>,
      0, args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "mma.sync m16n8k16, fragments by ordinary loads",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(plain_loads_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(plain_loads_bf16, kKernel<__nv_bfloat16>);
