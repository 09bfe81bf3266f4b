// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A ring of four stages: while one is multiplied, the next three are on their way.
// Previous step     copy_engine: four stages instead of one, each with its barrier.
// Tile and threads  Block 64 x 128 of D, 4 warps, k in steps of 128 bytes.
// Shared memory     4 stages of 24 KiB; two blocks on a multiprocessor.
// Intensity         As copy_engine.
// Expected          Latency is hidden. L2 limits: tiles of 64 x 128 need 96 bytes per cycle.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            Before a stage is filled again, all warps meet, and the tensor cores have nothing to do.
#include "ring.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 64, .tile_n = 128, .stages = 4, .rows_together = 1}};
};

template <class V>
__global__ void __launch_bounds__(kGroupThreads) ring(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  constexpr int kStages = V::kShape.stages;
  GroupMath<V> math(0);
  ClusterTiles<V> tiles(args, maps.supertile);
  TileIndex tile;
  tiles.next(tile);
  auto const fetch_to = [&](int stage, int k) {
    fetch<V>(ptx::shared_address(shared.stages[stage]), maps, tile, {}, k, ptx::shared_address(&shared.full[stage]));
  };
  if (threadIdx.x == 0) {
    for (uint64_t& full : shared.full) ptx::mbarrier_init(ptx::shared_address(&full), 1);
    ptx::fence_mbarrier_init();
    for (int k = 0; k < min(kStages, tiles.k_blocks()); ++k) fetch_to(k, k);
  }
  __syncthreads();
  RingPosition<kStages> at;
#pragma unroll 1
  for (int k = 0; k < tiles.k_blocks(); ++k) {
    ptx::mbarrier_wait(ptx::shared_address(&shared.full[at.stage]), at.parity);
    math.multiply(ptx::shared_address(shared.stages[at.stage]), k > 0);
    math.finish();
    __syncthreads();  // all have read the stage
    if (threadIdx.x == 0 && k + kStages < tiles.k_blocks()) fetch_to(at.stage, k + kStages);
    at.advance();
  }
  store_directly(args, math, tile);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) {
    launch_clusters(
        ring<V>,
        {.blocks = count_cluster_tiles<V>(args), .threads = kGroupThreads, .shared_bytes = sizeof(SharedMemory<V>)},
        args.stream, args, make_tensor_maps<V>(args));
  }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("a ring of tiles that a thread fills ahead");

}  // namespace

PERFCHECK_GEMM_KERNEL(ring_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(ring_bf16, kKernel<mma::Bf16>);
