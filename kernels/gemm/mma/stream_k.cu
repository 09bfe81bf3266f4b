// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C by mma.sync: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The tiles that are left after whole rounds are cut along k and shared by all blocks
//                   (work_units.cuh).
// Previous step     persistent: the last round is full. A block that continues a tile leaves its sums in the
//                   workspace, and the block that began it adds them.
// Tile and threads  As persistent: block 128 x 256 of D, 8 math warps of 64 x 64 and 4 copy warps, k in steps of 128
//                   bytes. Other shapes are points of the space.
// Shared memory     As tma_ring.
// Intensity         As tma_ring; besides, 128 KiB of sums per block are written once and read once.
// Expected          As persistent, but no multiprocessor is without work in the last round.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes.
// Limits            Passing sums through the workspace and clearing the flags cost a few microseconds, which small
//                   problems do not gain back.
#include "ring_copy.cuh"
#include "ring_kernel.cuh"

#include <algorithm>

namespace perfcheck::mma {

/// The units of StreamUnits, with how many blocks continue the tile of each.
struct Shares : StreamUnits {
  using StreamUnits::StreamUnits;

  __device__ __forceinline__ bool next(Unit& unit) {
    if (!next_shared(unit)) return next_whole(unit);
    unit.others = ranks_behind();
    return true;
  }
};

}  // namespace perfcheck::mma

namespace {

using namespace perfcheck;
using namespace perfcheck::mma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .warp_m = 64, .warp_n = 64, .stages = 4},
      {.tile_m = 256, .tile_n = 128, .warp_m = 64, .warp_n = 64, .stages = 4},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    stream_k(GemmArgs args, StreamPlan plan, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = V::kShape;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  initialise(shared, maps);
  if (threadIdx.x >= kShape.math_threads()) {
    copy_units(shared, maps, Shares(plan));
  } else {
    RingReader<V> ring(shared, args);
    WarpMath<V> math;
    while (int const k_blocks = ring.next()) {
      math.clear();
      ring.multiply(math, k_blocks);
      Unit const unit = ring.unit();
      PartialSums<typename V::Sum, kShape.sums(), kShape.math_threads()> const partial(args, kMathBarrier);
      int const rank = plan.blocks - 1 - static_cast<int>(blockIdx.x);
      if (unit.k_begin > 0) {
        partial.leave(&math.sums[0][0][0], rank);
        continue;
      }
      for (int other = 1; other <= unit.others; ++other) partial.wait(rank + other);
      store(args, math, RowOwners<V>(0), unit.tile, shared.strips, [&](int row) {
        // Row by row, because there are no registers for more.
        for (int other = 1; other <= unit.others; ++other) {
          partial.add(&math.sums[0][0][0], rank + other, row * kShape.mmas_n(), (row + 1) * kShape.mmas_n());
        }
      });
    }
  }
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) {
    int const most = std::min(multiprocessors() * V::kShape.blocks, kMostStreamBlocks);
    StreamPlan const plan = make_stream_plan(args.m, args.n, args.k, tile_sizes<V>(), most);
    clear_stream_flags(plan, args);
    launch_ring<V>(stream_k<V>, plan.blocks, args.stream, args, plan, make_tensor_maps<V>(args));
  }
};

template <class Row, int kPoint>
std::size_t workspace_bytes(GemmProblem const& /*problem*/) {
  using V = Variant<Row, ShapesFor<Space, typename Row::In>, kPoint, BLayout::row_major>;
  return stream_workspace_bytes(tile_sizes<V>(), multiprocessors() * V::kShape.blocks);
}

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "mma.sync; the last tiles are shared by all blocks, cut along k",
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse_unaligned<Row>,
          .workspace_bytes = workspace_bytes<Row, kPoint>,
          .launch = launch_layout<Launch, Row, ShapesFor<Space, typename Row::In>, kPoint>};
}

template <int kPoint>
constexpr GemmKernel kF16 = kernel<F16, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16 = kernel<Bf16, kPoint>();
template <int kPoint>
constexpr GemmKernel kTf32 = kernel<Tf32, kPoint>();
template <int kPoint>
constexpr GemmKernel kS8 = kernel<S8, kPoint>();

using S8Space = ShapesFor<Space, int8_t>;

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(stream_k_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(stream_k_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(stream_k_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(stream_k_s8, S8Space::kShapes, kS8);
