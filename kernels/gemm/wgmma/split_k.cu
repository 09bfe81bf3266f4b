// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major (16-bit types) or column-major; C and D row-major.
// Idea              For problems with fewer tiles than multiprocessors: the blocks of a cluster multiply parts of k of
//                   one tile, and add up through distributed shared memory.
// Previous step     cooperative: one round, which is not full, takes as long as a full one.
// Tile and threads  As the point says: its name is tile, stages, parts, and blocks of a multiprocessor (shape.cuh); one
//                   or two groups of math warps, and one to copy, k in steps of 128 bytes. One tile per cluster.
// Shared memory     At most 227 KiB; the ring takes the sums in the end.
// Intensity         64 FLOP per byte of L2 with tiles of 128 x 128, 128 where clusters share both operands. Besides, a
//                   share of a block's sums is read by each of the others.
// Expected          Few tiles: time divided by the parts, plus a cluster's barrier and an exchange. A few rows times
//                   large weights: the speed of memory, as each multiprocessor has 100 KiB and more on their way.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes. TF32 and INT8: column-major B.
// Limits            Many tiles: nothing is multiplied while sums are stored. Fewer than 64 rows, for which skinny is
//                   made.
#include "parts.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      // 1024 cubed is 64 tiles of 128 x 128. Two blocks share columns of B: L2 would be the limit.
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .cluster_m = 2, .parts = 2},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .parts = 2},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .cluster_m = 2, .cluster_n = 2, .parts = 2},
      {.tile_m = 256, .tile_n = 128, .groups = 2, .stages = 4, .parts = 4},
      // 128 rows: 14336 columns are 64 tiles of 224, or 112 of 128 in two parts; 4096 are 32 tiles of 128.
      {.tile_m = 128, .tile_n = 224, .groups = 2, .stages = 4, .parts = 2},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .parts = 2},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 3, .parts = 2, .blocks = 2},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 3, .cluster_n = 2, .parts = 2, .blocks = 2},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .parts = 4},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .cluster_n = 2, .parts = 4},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .parts = 8},
      // 64 rows, and 512 cubed: 64 tiles of 64 x 64, 32 of 64 x 128 or 128 x 64.
      {.tile_m = 64, .tile_n = 64, .groups = 1, .stages = 8, .parts = 2},
      {.tile_m = 64, .tile_n = 64, .groups = 1, .stages = 6, .parts = 4, .blocks = 2},
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .parts = 4},
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 4, .parts = 2, .blocks = 2},
      {.tile_m = 128, .tile_n = 64, .groups = 2, .stages = 8, .parts = 4},
      // 256 cubed.
      {.tile_m = 64, .tile_n = 32, .groups = 1, .stages = 4, .parts = 4},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    split_k(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_part<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_parts<V>(split_k<V>, args); }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return make_kernel<Launch, Row, ShapesFor<Space, typename Row::In>, kPoint>(
      "clusters of blocks share a tile, cut along k, and add up in shared memory");
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

PERFCHECK_TUNED_GEMM_KERNEL(split_k_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(split_k_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(split_k_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(split_k_s8, S8Space::kShapes, kS8);
