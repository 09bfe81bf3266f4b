// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major (16-bit types) or column-major; C and D row-major.
// Idea              Many shapes of tiles. A block of 256 x 184 needs least of L2 and of shared memory for its products;
//                   widths between 168 and 192 are there because a round of 132 tiles should be full: 8192 cubed is
//                   1440 tiles of 256 x 184, which is 10.9 rounds.
// Previous step     halves: the shape is chosen by `perfcheck tune`.
// Tile and threads  As the point says: its name is tile, stages and what is special (shape.cuh).
// Shared memory     At most 227 KiB.
// Intensity         Up to 107 FLOP per byte of L2 without clusters, 154 with them.
// Expected          The tensor cores' speed at the clock that the power limit leaves.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes. TF32 and INT8: column-major B.
// Limits            One round that is not full: few tiles, for which split_k is made.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .turns_back = true},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .turns_back = true, .d_leaves = true},
      // 2048 cubed is a single round of 128 of these tiles.
      {.tile_m = 128,
       .tile_n = 256,
       .groups = 2,
       .stages = 4,
       .strips = 2,
       .rows_together = 2,
       .turns_back = true,
       .lines_ahead = 2,
       .d_leaves = true},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 3, .strips = 4, .turns_back = true},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .cluster_m = 2, .turns_back = true},
      {.tile_m = 256,
       .tile_n = 128,
       .groups = 2,
       .stages = 4,
       .strips = 2,
       .cluster_n = 2,
       .turns_back = true,
       .halves = 1},
      {.tile_m = 256,
       .tile_n = 192,
       .groups = 2,
       .stages = 3,
       .strips = 2,
       .cluster_m = 2,
       .turns_back = true,
       .halves = 1},
      {.tile_m = 256, .tile_n = 184, .groups = 2, .stages = 3, .strips = 2, .turns_back = true, .halves = 1},
      {.tile_m = 256, .tile_n = 176, .groups = 2, .stages = 3, .strips = 2, .turns_back = true, .halves = 1},
      {.tile_m = 256, .tile_n = 168, .groups = 2, .stages = 3, .strips = 2, .turns_back = true, .halves = 1},
      {.tile_m = 128, .tile_n = 224, .groups = 2, .stages = 4, .strips = 1, .turns_back = true},
      {.tile_m = 128, .tile_n = 192, .groups = 2, .stages = 4, .strips = 3, .turns_back = true, .lines_ahead = 4},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .strips = 2, .turns_back = true},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 3, .strips = 4, .hilbert = true, .turns_back = true},
      {.tile_m = 256,
       .tile_n = 184,
       .groups = 2,
       .stages = 3,
       .strips = 2,
       .hilbert = true,
       .turns_back = true,
       .halves = 1},
      // 1024 cubed is 128 of these tiles, one on each multiprocessor.
      {.tile_m = 128,
       .tile_n = 64,
       .groups = 1,
       .stages = 9,
       .rows_together = 2,
       .halves = 1,
       .lines_ahead = 4,
       .quads = true},
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .strips = 2},
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .strips = 2, .cluster_m = 2},
      // 128 rows, which memory decides: 4096 columns are 128 of these tiles, and two neighbours read the same columns.
      // It is read in longer pieces where a stage has two lines of a column-major B.
      {.tile_m = 64, .tile_n = 64, .groups = 1, .stages = 14, .rows_together = 2, .lines_ahead = 4, .quads = true},
      {.tile_m = 64,
       .tile_n = 64,
       .groups = 1,
       .stages = 7,
       .lines = 2,
       .rows_together = 2,
       .lines_ahead = 4,
       .quads = true},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) cooperative(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(cooperative<V>, args); }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return make_kernel<Launch, Row, ShapesFor<Space, typename Row::In>, kPoint>(
      "groups of warps share tiles of many shapes");
}

template <int kPoint>
constexpr GemmKernel kF16 = kernel<mma::F16, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16 = kernel<mma::Bf16, kPoint>();
template <int kPoint>
constexpr GemmKernel kTf32 = kernel<mma::Tf32, kPoint>();
template <int kPoint>
constexpr GemmKernel kS8 = kernel<mma::S8, kPoint>();

using S8Space = ShapesFor<Space, int8_t>;

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(cooperative_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(cooperative_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(cooperative_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(cooperative_s8, S8Space::kShapes, kS8);
