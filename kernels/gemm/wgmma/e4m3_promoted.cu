// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP8 (E4M3) data and FP32 sums; C and D are BF16.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              The tensor cores' own sums of FP8 products lose bits; they are kept for one stage, 128 k, and then
//                   added to totals in FP32 registers (promote.cuh). The additions hide behind products: of the other
//                   group, of the other half of the group's rows, or of the next stage. While totals are stored, the
//                   first products of the next tile execute.
// Previous step     e4m3_plain: sums that stay in the tensor cores, which are too far off for types with FP32 sums.
// Tile and threads  As the point says: its name is tile, stages and what is special (shape.cuh).
// Shared memory     At most 227 KiB.
// Intensity         256 x 128: 171 FLOP per byte of L2, 256 with clusters of 1 x 2. Of shared memory, an instruction of
//                   64 x 128 reads 6 KiB in 64 cycles, three quarters of what is possible.
// Expected          Near what plain sums reach where power is the limit: for a stage of 64 x 128, the tensor cores take
//                   256 cycles, and additions beside them 64.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16.
// Limits            Registers: totals and temporaries of 128 x 256 do not fit, so tiles are smaller than those of
//                   cooperative, and need more of L2.
#include "promote.cuh"

#include <perfcheck/tensor_types.cuh>

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      // One temporary of 64 x 128 for 128 x 128 totals per group: largest tiles.
      {.tile_m = 256,
       .tile_n = 128,
       .groups = 2,
       .stages = 4,
       .strips = 2,
       .cluster_n = 2,
       .turns_back = true,
       .temporaries = 1},
      {.tile_m = 256,
       .tile_n = 128,
       .groups = 2,
       .stages = 4,
       .strips = 2,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 1},
      {.tile_m = 256, .tile_n = 128, .groups = 2, .stages = 4, .strips = 2, .turns_back = true, .temporaries = 1},
      {.tile_m = 128,
       .tile_n = 256,
       .groups = 2,
       .share = Share::columns,
       .stages = 4,
       .strips = 2,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 1},
      // One of 64 x 192.
      {.tile_m = 128,
       .tile_n = 192,
       .groups = 2,
       .stages = 5,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 1},
      {.tile_m = 128, .tile_n = 192, .groups = 2, .stages = 5, .strips = 1, .turns_back = true, .temporaries = 1},
      // Two of 64 x 96 for 128 x 96.
      {.tile_m = 256,
       .tile_n = 96,
       .groups = 2,
       .stages = 4,
       .strips = 2,
       .cluster_n = 2,
       .turns_back = true,
       .temporaries = 2},
      {.tile_m = 128,
       .tile_n = 192,
       .groups = 2,
       .share = Share::columns,
       .stages = 5,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 2},
      // Two of 64 x 128 for 64 x 128, which takes stages in pairs.
      {.tile_m = 128,
       .tile_n = 128,
       .groups = 2,
       .stages = 6,
       .strips = 2,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 2},
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .strips = 2, .turns_back = true, .temporaries = 2},
      // One of 64 x 128 in each of three groups.
      {.tile_m = 192,
       .tile_n = 128,
       .groups = 3,
       .stages = 5,
       .strips = 1,
       .cluster_n = 2,
       .turns_back = true,
       .temporaries = 1},
      {.tile_m = 192,
       .tile_n = 128,
       .groups = 3,
       .stages = 5,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 1},
      // Groups with tiles of their own.
      {.tile_m = 128,
       .tile_n = 96,
       .groups = 2,
       .share = Share::turns,
       .stages = 7,
       .strips = 1,
       .cluster_m = 2,
       .turns_back = true,
       .temporaries = 2},
      {.tile_m = 128,
       .tile_n = 96,
       .groups = 2,
       .share = Share::turns,
       .stages = 7,
       .strips = 1,
       .cluster_n = 2,
       .turns_back = true,
       .temporaries = 2},
      {.tile_m = 64, .tile_n = 128, .groups = 2, .share = Share::turns, .stages = 8, .strips = 2, .temporaries = 2},
      // Few tiles.
      {.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .strips = 2, .temporaries = 2},
      {.tile_m = 128, .tile_n = 64, .groups = 2, .stages = 8, .strips = 1, .temporaries = 2},
      // 128 rows, as in cooperative.
      {.tile_m = 64,
       .tile_n = 64,
       .groups = 1,
       .stages = 14,
       .rows_together = 2,
       .temporaries = 2,
       .lines_ahead = 4,
       .quads = true},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) promoted(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_promoted_tiles<V>(args, maps, memory, NoFactors<V>{});
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(promoted<V>, args); }
};

template <int kPoint>
constexpr GemmKernel kE4m3 = make_kernel<Launch, mma::E4m3, Space, kPoint>("sums move to FP32 registers every 128 k");

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(e4m3_promoted, Space::kShapes, kE4m3);
