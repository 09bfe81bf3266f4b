// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C by mma.sync: FP16, BF16, TF32, INT8, and 16-bit data to FP32.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              One block stays on each multiprocessor and takes tile after tile. While its math warps store one
//                   tile, the copy engine already fills the ring with the next.
// Previous step     tma_ring: the block's units of work are a sequence of tiles. Groups of warps cannot share a tile,
//                   because the ring, through which they add their sums, is filled meanwhile.
// Tile and threads  As tma_ring: block 128 x 256 of D, 8 math warps of 64 x 64 and 4 copy warps, k in steps of 128
//                   bytes.
// Shared memory     As tma_ring.
// Intensity         As tma_ring.
// Expected          As tma_ring, without the empty ring at the start of each tile: a gain where k is short.
// Requires          Nothing: without a copy engine (compute capability 8.x), and for rows that are not aligned to 16
//                   bytes, it launches `combined`.
// Limits            The number of tiles is rarely a multiple of the number of multiprocessors: in the last round, some
//                   of them have no tile.
#include <algorithm>

#include "combined.h"
#include "ring_copy.cuh"
#include "ring_kernel.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .warp_m = 64, .warp_n = 64, .stages = 4},
      {.tile_m = 256, .tile_n = 128, .warp_m = 64, .warp_n = 64, .stages = 4},
      {.tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 32, .stages = 6},
      {.tile_m = 64, .tile_n = 128, .warp_m = 32, .warp_n = 64, .stages = 4, .slices = 2},
      {.tile_m = 16, .tile_n = 128, .warp_m = 16, .warp_n = 32, .stages = 10},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    persistent(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = V::kShape;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  initialise(shared, maps);
  if (threadIdx.x >= kShape.math_threads()) {
    copy_units(shared, maps, EveryTile(args, tile_sizes<V>()));
  } else {
    RingReader<V> ring(shared, args);
    WarpMath<V> math;
    while (int const k_blocks = ring.next()) {
      math.clear();
      ring.multiply(math, k_blocks);
      store(args, math, ring.unit().tile, shared.strips);
    }
  }
#endif
}

template <class V>
struct Launch {
  static_assert(V::kShape.groups == 1, "sums of groups would need the ring, which is filled meanwhile");
  static void launch(GemmArgs const& args) {
    if (!has_copy_engine() || !has_aligned_rows<typename V::Row>(args.lda, args.ldb)) {
      return launch_combined<typename V::Row>(args);
    }
    int const tiles = tiles_to_cover(args.m, V::kShape.tile_m) * tiles_to_cover(args.n, V::kShape.tile_n);
    int const blocks = std::min(tiles, multiprocessors() * V::kShape.blocks);
    launch_ring<V>(persistent<V>, blocks, args.stream, args, make_tensor_maps<V>(args));
  }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "mma.sync, one block per multiprocessor: tiles follow each other without a gap",
          .types = Row::kRow,
          .arch = arch_at_least(8, 0),
          .launch = launch_layout<Launch, Row, ShapesFor<Space, typename Row::In>, kPoint>};
}

template <int kPoint>
constexpr GemmKernel kF16 = kernel<F16, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16 = kernel<Bf16, kPoint>();
template <int kPoint>
constexpr GemmKernel kF16ToF32 = kernel<F16ToF32, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16ToF32 = kernel<Bf16ToF32, kPoint>();
template <int kPoint>
constexpr GemmKernel kTf32 = kernel<Tf32, kPoint>();
template <int kPoint>
constexpr GemmKernel kS8 = kernel<S8, kPoint>();

using S8Space = ShapesFor<Space, int8_t>;

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(persistent_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(persistent_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(persistent_f16_f32, Space::kShapes, kF16ToF32);
PERFCHECK_TUNED_GEMM_KERNEL(persistent_bf16_f32, Space::kShapes, kBf16ToF32);
PERFCHECK_TUNED_GEMM_KERNEL(persistent_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(persistent_s8, S8Space::kShapes, kS8);
