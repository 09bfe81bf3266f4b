// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major (16-bit types) or column-major; C and D row-major.
// Idea              Two groups of math warps have tiles of their own and take turns: while one multiplies, the other
//                   stores ("ping-pong").
// Previous step     turn_back: a group computes whole tiles, and a stage is read by one group.
// Tile and threads  128 x 128 of D per group, or other points; 8 math warps and 4 copy warps, k in steps of 128 bytes.
// Shared memory     6 stages of 32 KiB, and 32 KiB for strips.
// Intensity         64 FLOP per byte of L2, 43 per byte of shared memory.
// Expected          No cycle between two tiles, for more traffic per product: ahead where stores take long, with INT8
//                   and small k.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes. TF32 and INT8: column-major B.
// Limits            Power: at the power limit the clock falls by as much as cycles are saved.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 128, .groups = 2, .share = Share::turns, .stages = 6, .strips = 2, .turns_back = true},
      {.tile_m = 128,
       .tile_n = 128,
       .groups = 2,
       .share = Share::turns,
       .stages = 6,
       .strips = 2,
       .rows_together = 4,
       .turns_back = true,
       .lines_ahead = 4,
       .d_leaves = true},
      {.tile_m = 128,
       .tile_n = 192,
       .groups = 2,
       .share = Share::turns,
       .stages = 5,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true},
      {.tile_m = 64, .tile_n = 256, .groups = 2, .share = Share::turns, .stages = 5, .strips = 1, .turns_back = true},
      {.tile_m = 64, .tile_n = 128, .groups = 2, .share = Share::turns, .stages = 8, .strips = 2},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) ping_pong(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(ping_pong<V>, args); }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return make_kernel<Launch, Row, ShapesFor<Space, typename Row::In>, kPoint>(
      "one group multiplies a tile while the other stores one");
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

PERFCHECK_TUNED_GEMM_KERNEL(ping_pong_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(ping_pong_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(ping_pong_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(ping_pong_s8, S8Space::kShapes, kS8);
