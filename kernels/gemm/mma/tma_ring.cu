// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C by mma.sync: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Hopper's copy engine (TMA) fills the ring. Math warps compute no addresses of global memory, and
//                   wait for a stage's data instead of for each other: no barrier of the block is left in the main
//                   loop. TF32 is rounded on the way.
// Previous step     combined: a copy warp and barriers in shared memory in place of cp.async and __syncthreads().
// Tile and threads  Block 128 x 256 of D, 8 math warps of 64 x 64, k in steps of 128 bytes. 4 more warps copy, and give
//                   their registers to the math warps. Other shapes are points of the space, down to 16 x 64.
// Shared memory     4 stages of 48 KiB, and strips for the results.
// Intensity         Global: 2 * 128 * 256 FLOP per k for 2 * (128 + 256) bytes of FP16, 85 FLOP per byte. Shared: 8
//                   warps read 128 rows or columns each, and the copy engine writes 384: 2.8 KiB per k.
// Expected          mma.sync m16n8k16 takes 6.7 cycles per sub-core on an H200 (measured), 640 TFLOP/s at 1980 MHz.
//                   Shared memory is busy for 82 % of that time: 350 of 428 cycles per step of 16 k.
// Requires          Compute capability 9.0 (sm_90a, for setmaxnreg); lda and ldb multiples of 16 bytes.
// Limits            Half of the tensor cores' speed: only wgmma reaches more. One tile per block: the last round is
//                   rarely full, and nothing is multiplied while a tile is stored.
#include "ring_copy.cuh"
#include "ring_kernel.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma;

/// Large shapes are for large problems, which they read least for; small ones keep more multiprocessors busy. Groups of
/// warps that share a tile read less of shared memory than more, smaller warp tiles. Where a scheduler has one warp
/// only, nothing is multiplied at the end of a stage: stages of two slices end half as often.
struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .warp_m = 64, .warp_n = 64, .stages = 4},
      {.tile_m = 256, .tile_n = 128, .warp_m = 64, .warp_n = 64, .stages = 4},
      {.tile_m = 64, .tile_n = 128, .warp_m = 32, .warp_n = 64, .stages = 4, .slices = 2},
      {.tile_m = 128, .tile_n = 64, .warp_m = 64, .warp_n = 32, .stages = 4, .slices = 2},
      {.tile_m = 32, .tile_n = 128, .warp_m = 32, .warp_n = 64, .stages = 8, .groups = 2},
      {.tile_m = 32, .tile_n = 64, .warp_m = 16, .warp_n = 32, .stages = 8, .blocks = 2},
      {.tile_m = 16, .tile_n = 128, .warp_m = 16, .warp_n = 32, .stages = 10},
      {.tile_m = 16, .tile_n = 64, .warp_m = 16, .warp_n = 32, .stages = 9, .groups = 2, .blocks = 2},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    tma_ring(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = V::kShape;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  auto const unit = [&] { return OnePart(args, tile_sizes<V>(), 1).unit; };  // not kept: registers are scarce
  initialise(shared, maps);
  if (threadIdx.x >= kShape.math_threads()) {
    copy_unit(shared, maps, unit());
  } else {
    RingReader<V> ring(shared, args);
    WarpMath<V> math;
    ring.multiply(math, tiles_to_cover(args.k, tile_sizes<V>().k));
    if constexpr (kShape.groups == 1) {
      store(args, math, unit().tile, shared.strips);
    } else {
      ptx::named_barrier(kMathBarrier, kShape.math_threads());  // all have read the ring; it now takes sums and strips
      int const thread = ptx::thread_index();
      RowOwners<V> const owners(thread);
      SumExchange<V> const exchange(owners, thread, memory);
      exchange.leave(math);
      store(args, math, owners, unit().tile, memory + kExchangeBytes<V>, [&](int i) { exchange.add(math, i); });
    }
  }
#endif
}

template <class V>
struct Launch {
  static_assert(V::kShape.groups == 1 || kExchangeBytes<V> + kStripsBytes<V> <= V::kShape.ring_bytes());
  static void launch(GemmArgs const& args) {
    int const tiles = tiles_to_cover(args.m, V::kShape.tile_m) * tiles_to_cover(args.n, V::kShape.tile_n);
    launch_ring<V>(tma_ring<V>, tiles, args.stream, args, make_tensor_maps<V>(args));
  }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "mma.sync from a ring that the copy engine (TMA) fills",
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse_unaligned<Row>,
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

PERFCHECK_TUNED_GEMM_KERNEL(tma_ring_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(tma_ring_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(tma_ring_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(tma_ring_s8, S8Space::kShapes, kS8);
