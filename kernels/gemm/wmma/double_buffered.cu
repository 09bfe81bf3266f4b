// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Two buffers for tiles. While one tile is multiplied, the next travels from global memory to
//                   registers, from which it is stored to the other buffer: a tile has the time of a multiplication to
//                   arrive, and one barrier per tile suffices.
// Previous step     padded: the tiles become pairs of tiles, and the loop reads one tile ahead.
// Tile and threads  Block 64 x 64 of D, 16 warps as 4 x 4, one fragment of sums each, k in steps of 64.
// Shared memory     36 KiB.
// Intensity         As in padded: 32 FLOP per byte of global and 8 per byte of shared memory.
// Expected          Waits for global memory shrink, a fifth faster or more; with blocks of 512 threads, other blocks on
//                   the multiprocessor hid some of them already.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            Two fragments are loaded for every product.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

#include "fragments.cuh"
#include "register_copy.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

constexpr Shape kShape{.tile_m = 64, .tile_n = 64, .warp_m = 16, .warp_n = 16, .line_bytes = 128, .stages = 2};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads()) double_buffered(GemmArgs const args) {
  using OfTiles = Tiles<T, kLayout, kShape>;
  __shared__ __align__(128) typename T::Element buffers[2][OfTiles::kElements];
  static_assert(sizeof(buffers) >= kStripBytes<T, kShape>);

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  WarpSums<T, kShape> sums;
  RegisterTiles<T, kLayout, kShape> next(args, row, column);
  next.read_next();
  int const k_tiles = tiles_to_cover(args.k, OfTiles::kTileK);
#pragma unroll 1
  for (int i = 0; i < k_tiles; ++i) {
    // One barrier is enough: since the previous one, no warp reads this buffer, which was filled two tiles ago.
    next.store(buffers[i % 2]);
    __syncthreads();
    if (i + 1 < k_tiles) next.read_next();
    sums.template add_tiles<kLayout>(buffers[i % 2]);
  }
  __syncthreads();  // the buffers become space for sums
  sums.store(args, row, column, buffers);
}

template <class T>
void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  auto const kernel = args.b_layout == BLayout::row_major ? double_buffered<T, BLayout::row_major>
                                                          : double_buffered<T, BLayout::column_major>;
  kernel<<<blocks, kShape.threads(), 0, args.stream>>>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "two buffers in shared memory, one barrier per tile",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(double_buffered_f16, kKernel<F16>);
PERFCHECK_GEMM_KERNEL(double_buffered_bf16, kKernel<Bf16>);
