// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16 or TF32 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Rows of the tiles are 16 bytes longer than their contents, so that eight consecutive rows begin in
//                   eight different groups of four banks, and ldmatrix reads them at once. load_matrix_sync() takes any
//                   distance between rows, but the same one for all, so that elements cannot change places instead.
// Previous step     shared_fragments: kShape.padded (Tiles in fragments.cuh).
// Tile and threads  Block 64 x 64 of D, 16 warps as 4 x 4, one fragment of sums each, k in steps of 128 bytes.
// Shared memory     24 KiB: 18 for the tiles (TF32 with row-major B: 19), and afterwards 24 for sums.
// Intensity         As in shared_fragments: 32 FLOP per byte of global and 8 per byte of shared memory.
// Expected          No conflicts: shared memory would allow 270 TFLOP/s of FP16. Waiting for tiles, and for the two
//                   barriers, becomes the limit: about 100 TFLOP/s.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 16 bytes.
// Limits            Nothing is multiplied while tiles are on their way.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

#include "fragments.cuh"
#include "register_copy.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

constexpr Shape kShape{.tile_m = 64, .tile_n = 64, .warp_m = 16, .warp_n = 16, .line_bytes = 128};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads()) padded(GemmArgs const args) {
  __shared__ __align__(128) unsigned char memory[kSharedBytes<T, kLayout, kShape>];
  auto* const tiles = reinterpret_cast<typename T::Element*>(memory);

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  WarpSums<T, kShape> sums;
  RegisterTiles<T, kLayout, kShape> copy(args, row, column);
#pragma unroll 1
  for (int k = 0; k < args.k; k += Tiles<T, kLayout, kShape>::kTileK) {
    copy.read_next();
    copy.store(tiles);
    __syncthreads();
    sums.template add_tiles<kLayout>(tiles);
    __syncthreads();  // the tiles are overwritten, by the next ones or by sums
  }
  sums.store(args, row, column, memory);
}

template <class T>
void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  auto const kernel =
      args.b_layout == BLayout::row_major ? padded<T, BLayout::row_major> : padded<T, BLayout::column_major>;
  kernel<<<blocks, kShape.threads(), 0, args.stream>>>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "rows of tiles padded against bank conflicts",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(padded_f16, kKernel<F16>);
PERFCHECK_GEMM_KERNEL(padded_bf16, kKernel<Bf16>);
PERFCHECK_GEMM_KERNEL(padded_tf32, kKernel<Tf32>);
