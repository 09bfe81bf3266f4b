// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C by mma.sync: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              For problems with fewer tiles than multiprocessors: k is cut into parts, and the blocks of a tile
//                   form a cluster. Each leaves its sums in its own shared memory, reads the others' through
//                   distributed shared memory, and adds and stores its share of the tile's rows.
// Previous step     tma_ring: large tiles, which read shared memory least, where only small ones would keep all
//                   multiprocessors busy.
// Tile and threads  Block 128 x 128 of D, 8 math warps of 64 x 64 in two groups, and 4 copy warps, k in steps of 128
//                   bytes; two parts. Wider and narrower tiles and four parts were a sixth behind or more (FP16, H100).
// Shared memory     6 stages of 32 KiB. The ring takes the sums in the end: 128 KiB.
// Intensity         64 FLOP per byte of global memory; besides, half of a block's sums are read by the other.
// Expected          As tma_ring with all multiprocessors at work, and an exchange. With storing, that takes 7000 cycles
//                   on an H200 (measured), 3.7 us, which pays where k is long, as in 256 x 4096 x 14336.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes.
// Limits            Sums of another block are read sixteen at a time: there are no registers for more.
#include "ring_copy.cuh"
#include "ring_kernel.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 64, .stages = 6, .groups = 2, .parts = 2},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, V::kShape.blocks)
    split_k(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = V::kShape;
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  auto const unit = [&] { return OnePart(args, tile_sizes<V>(), kShape.parts).unit; };
  initialise(shared, maps);
  if (threadIdx.x >= kShape.math_threads()) {
    copy_unit(shared, maps, unit());
    __syncwarp();
    ptx::cluster_barrier();  // that of SumExchange::leave()
  } else {
    RingReader<V> ring(shared, args);
    WarpMath<V> math;
    if (int const k_blocks = unit().k_end - unit().k_begin; k_blocks > 0) ring.multiply(math, k_blocks);
    ptx::named_barrier(kMathBarrier, kShape.math_threads());  // all have read the ring; it now takes sums
    int const thread = ptx::thread_index();
    RowOwners<V> const owners(thread, static_cast<int>(blockIdx.x) % kShape.parts);
    SumExchange<V> const exchange(owners, thread, memory);
    exchange.leave(math);
    store(args, math, owners, unit().tile, kShape.groups == 1 ? shared.strips : memory + kExchangeBytes<V>,
          [&](int i) { exchange.add(math, i); });
  }
  ptx::cluster_barrier();  // no block may leave while another reads its sums
#endif
}

template <class V>
struct Launch {
  static_assert(kExchangeBytes<V> + (V::kShape.groups == 1 ? 0 : kStripsBytes<V>) <= V::kShape.ring_bytes());
  static void launch(GemmArgs const& args) {
    int const tiles = tiles_to_cover(args.m, V::kShape.tile_m) * tiles_to_cover(args.n, V::kShape.tile_n);
    launch_ring<V>(split_k<V>, tiles * V::kShape.parts, args.stream, args, make_tensor_maps<V>(args));
  }
};

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  return {.summary = "mma.sync; clusters of blocks share a tile, cut along k, and add up in shared memory",
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

PERFCHECK_TUNED_GEMM_KERNEL(split_k_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(split_k_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(split_k_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(split_k_s8, S8Space::kShapes, kS8);
