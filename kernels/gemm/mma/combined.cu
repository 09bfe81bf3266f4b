// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C by mma.sync: FP16, BF16, TF32, INT8, and 16-bit data to FP32.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              All steps before combined, with a shape for each problem: a ring of stages filled by cp.async,
//                   ldmatrix from swizzled lines, fragments read ahead, blocks ordered for L2. `perfcheck tune` finds
//                   the shapes.
// Previous step     wide_tile: lines of 128 bytes of k, so that a stage has four steps and half as many barriers;
//                   copies are spread over the steps; results pass through shared memory as elements of D.
// Tile and threads  Block 128 x 256 of D, 256 threads as 2 x 4 warps of 64 x 64, k in steps of 128 bytes; other shapes
//                   are points of the space.
// Shared memory     3 stages of 48 KiB, and strips for the results.
// Intensity         Global: 85 FLOP per byte of FP16. Shared: 2.8 KiB per k, of which a quarter are writes.
// Expected          On Hopper about 600 TFLOP/s would be mma.sync's; barriers of the block and copies that are
//                   instructions cost a quarter of that. On compute capability 8.x this is the fast path.
// Requires          Compute capability 8.0. A device that allows a block less shared memory than the shape needs, and
//                   rows that are not aligned to 16 bytes, get the second shape; without that alignment, elements are
//                   copied one by one.
// Limits            All warps of a block wait for each other at each stage.
#include "combined.h"

#include "ring_async_copy.cuh"
#include "ring_kernel.cuh"
#include "ring_store.cuh"

#include <perfcheck/cluster_launch.h>
#include <perfcheck/device_attribute.h>

namespace {

using namespace perfcheck;
using namespace perfcheck::mma;

/// The second shape fits into 99 KiB, which every GPU since 8.0 allows a block.
struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .warp_m = 64, .warp_n = 64, .stages = 3},
      {.tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 32, .stages = 2},
      {.tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 64, .stages = 3, .blocks = 2},
      {.tile_m = 64, .tile_n = 128, .warp_m = 32, .warp_n = 64, .stages = 4, .blocks = 2},
      {.tile_m = 32, .tile_n = 128, .warp_m = 16, .warp_n = 64, .stages = 4, .blocks = 2},
  };
};

template <class V>
constexpr int kSharedBytes = V::kShape.ring_bytes() + kStripsBytes<V>;

template <class V, bool kAligned>
__global__ void __launch_bounds__(V::kShape.math_threads(), V::kShape.blocks) combined(GemmArgs args) {
  constexpr Shape kShape = V::kShape;
  extern __shared__ __align__(1024) unsigned char memory[];
  TileIndex const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  WarpMath<V> math;
  multiply_all<V, kAligned>(math, args, memory, tile.row * kShape.tile_m, tile.column * kShape.tile_n);
  store(args, math, tile, memory + kShape.ring_bytes());
}

template <class V, bool kAligned>
void launch_aligned(GemmArgs const& args) {
  int const tiles = tiles_to_cover(args.m, V::kShape.tile_m) * tiles_to_cover(args.n, V::kShape.tile_n);
  launch_clusters(combined<V, kAligned>,
                  {.blocks = tiles, .threads = V::kShape.math_threads(), .shared_bytes = kSharedBytes<V>}, args.stream,
                  args);
}

/// Unaligned rows, and shapes that do not fit the device, get the second shape.
template <class V>
struct Launch {
  template <int kPoint>
  using AtPoint = Variant<typename V::Row, Space, kPoint, V::kRowMajor ? BLayout::row_major : BLayout::column_major>;

  static void launch(GemmArgs const& args) {
    if (!has_aligned_rows<typename V::Row>(args.lda, args.ldb)) return launch_aligned<AtPoint<1>, false>(args);
    if (kSharedBytes<V> > most_shared_bytes()) return launch_aligned<AtPoint<1>, true>(args);
    launch_aligned<V, true>(args);
  }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "mma.sync, cp.async pipeline, swizzled lines, shapes by problem; takes any problem",
          .types = Row::kRow,
          .arch = arch_at_least(8, 0),
          .launch = launch_layout<Launch, Row, Space, kPoint>};
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

}  // namespace

template <class Row>
void perfcheck::mma::launch_combined(GemmArgs const& args) {
  launch_layout<Launch, Row, Space, 0>(args);
}
template void perfcheck::mma::launch_combined<F16>(GemmArgs const& args);
template void perfcheck::mma::launch_combined<Bf16>(GemmArgs const& args);
template void perfcheck::mma::launch_combined<F16ToF32>(GemmArgs const& args);
template void perfcheck::mma::launch_combined<Bf16ToF32>(GemmArgs const& args);
template void perfcheck::mma::launch_combined<Tf32>(GemmArgs const& args);
template void perfcheck::mma::launch_combined<S8>(GemmArgs const& args);

PERFCHECK_TUNED_GEMM_KERNEL(combined_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(combined_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(combined_f16_f32, Space::kShapes, kF16ToF32);
PERFCHECK_TUNED_GEMM_KERNEL(combined_bf16_f32, Space::kShapes, kBf16ToF32);
PERFCHECK_TUNED_GEMM_KERNEL(combined_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(combined_s8, Space::kShapes, kS8);
