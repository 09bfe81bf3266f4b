// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The copy engine (TMA) brings the tiles: one thread asks for them, and they arrive where wgmma
//                   expects them. All others wait at a barrier in shared memory that counts bytes.
// Previous step     one_group: who copies. No thread computes addresses, no element passes through registers.
// Tile and threads  Block 64 x 128 of D, 4 warps, k in steps of 128 bytes.
// Shared memory     24 KiB.
// Intensity         As one_group.
// Expected          The latency of global memory for each step of k, which only other blocks on the multiprocessor
//                   hide. Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8. Limits
//                   Nothing is copied while products execute.
#include "ring.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 64, .tile_n = 128, .rows_together = 1}};
};

template <class V>
__global__ void __launch_bounds__(kGroupThreads) copy_engine(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  uint32_t const full = ptx::shared_address(shared.full), stage = ptx::shared_address(shared.stages);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
  }
  __syncthreads();
  GroupMath<V> math(0);
  ClusterTiles<V> tiles(args, maps.supertile);
  TileIndex tile;
  tiles.next(tile);
#pragma unroll 1
  for (int k = 0; k < tiles.k_blocks(); ++k) {
    if (threadIdx.x == 0) fetch<V>(stage, maps, tile, {}, k, full);
    ptx::mbarrier_wait(full, static_cast<uint32_t>(k) % 2);
    math.multiply(stage, k > 0);
    math.finish();
    __syncthreads();  // all have read the tiles
  }
  store_directly(args, math, tile);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) {
    launch_clusters(
        copy_engine<V>,
        {.blocks = count_cluster_tiles<V>(args), .threads = kGroupThreads, .shared_bytes = sizeof(SharedMemory<V>)},
        args.stream, args, make_tensor_maps<V>(args));
  }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("tiles by the copy engine (TMA)");

}  // namespace

PERFCHECK_GEMM_KERNEL(copy_engine_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(copy_engine_bf16, kKernel<mma::Bf16>);
