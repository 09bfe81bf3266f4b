// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP8 (E4M3) data and the tensor cores' own sums, which have 14
//                   bits; C and D are BF16.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              Sums stay in the tensor cores until a tile is done, as those of other types do. That is what
//                   libraries call fast accumulation, and types of its own (e4m3.tc14.bf16) have its error bound and
//                   its reference.
// Previous step     cooperative and ping_pong, whose main loops these are: a tile has half as many stages as with
//                   16-bit types, so that its store weighs twice as much. e4m3_promoted is what FP32 sums take.
// Tile and threads  As the point says: its name is tile, stages and what is special (shape.cuh).
// Shared memory     At most 227 KiB.
// Intensity         256 x 184: 214 FLOP per byte of L2; 128 x 256 in clusters of 2 x 1: 256.
// Expected          The tensor cores' speed at the clock that the power limit leaves: tiles are as large as those of
//                   16-bit types, and nothing is added beside products.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16.
// Limits            Precision: on positive data, a sum of 4096 products lacks 7 %, and one of 16384 a quarter.
#include "tiles.cuh"

#include <perfcheck/tensor_types.cuh>

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      // Groups that share a tile, its first and last stage multiplied half by half.
      {.tile_m = 256,
       .tile_n = 128,
       .groups = 2,
       .stages = 4,
       .strips = 2,
       .cluster_n = 2,
       .turns_back = true,
       .halves = 1},
      {.tile_m = 256, .tile_n = 128, .groups = 2, .stages = 4, .strips = 2, .turns_back = true, .halves = 1},
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
      // One instruction per group and step.
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .cluster_m = 2, .turns_back = true},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .turns_back = true},
      {.tile_m = 128, .tile_n = 224, .groups = 2, .stages = 4, .strips = 1, .turns_back = true},
      {.tile_m = 128, .tile_n = 192, .groups = 2, .stages = 4, .strips = 3, .turns_back = true},
      // Groups with tiles of their own.
      {.tile_m = 128,
       .tile_n = 128,
       .groups = 2,
       .share = Share::turns,
       .stages = 6,
       .strips = 2,
       .cluster_m = 2,
       .turns_back = true},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .share = Share::turns, .stages = 6, .strips = 2, .turns_back = true},
      {.tile_m = 128,
       .tile_n = 192,
       .groups = 2,
       .share = Share::turns,
       .stages = 5,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true},
      {.tile_m = 128, .tile_n = 192, .groups = 2, .share = Share::turns, .stages = 5, .strips = 1, .turns_back = true},
      {.tile_m = 64,
       .tile_n = 256,
       .groups = 2,
       .share = Share::turns,
       .stages = 5,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true},
      {.tile_m = 64, .tile_n = 256, .groups = 2, .share = Share::turns, .stages = 5, .strips = 1, .turns_back = true},
      // Few tiles.
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .strips = 2, .turns_back = true},
      {.tile_m = 64, .tile_n = 128, .groups = 2, .share = Share::turns, .stages = 8, .strips = 2},
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .strips = 2},
      {.tile_m = 128, .tile_n = 64, .groups = 2, .stages = 8, .strips = 1},
      // 128 rows, as in cooperative.
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
__global__ void __launch_bounds__(kThreads<V>, 1) plain(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(plain<V>, args); }
};

template <int kPoint>
constexpr GemmKernel kE4m3 = make_kernel<Launch, mma::E4m3Tc14, Space, kPoint>("sums stay in the tensor cores");

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(e4m3_plain, Space::kShapes, kE4m3);
