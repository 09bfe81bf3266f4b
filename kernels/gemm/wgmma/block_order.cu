// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Tiles are taken in supertiles of eight rows of clusters, down the columns, so that blocks that run
//                   together need a compact part of A and of B, which stays in L2.
// Previous step     clusters: the order of tiles, which was row after row.
// Tile and threads  As clusters.
// Shared memory     As clusters.
// Intensity         As clusters.
// Expected          64 clusters of 256 x 256 cover 2048 x 2048 of D instead of 1024 x 4096 at 4096 cubed: a fifth less
//                   to read from DRAM.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            Power, from 4096 cubed on: whatever reads less makes the clock rise.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .cluster_m = 2}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) block_order(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(block_order<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("supertiles of eight rows of tiles");

}  // namespace

PERFCHECK_GEMM_KERNEL(block_order_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(block_order_bf16, kKernel<mma::Bf16>);
