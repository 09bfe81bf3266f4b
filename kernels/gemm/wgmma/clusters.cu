// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Two blocks below each other need the same columns of B. Each fetches half of them, for both
//                   (multicast).
// Previous step     tma_store: clusters of two blocks. A stage is empty when the math warps of both have read it.
// Tile and threads  As tma_store.
// Shared memory     As tma_store.
// Intensity         128 FLOP per byte of global memory, 51 per byte of shared memory.
// Expected          32 bytes per cycle from L2 instead of 48, and the power that they took.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            Blocks of a cluster wait for each other. Where one round is all there is, the start of a cluster
//                   costs more than it gains.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .cluster_m = 2, .rows_together = 1}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) clusters(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(clusters<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("pairs of blocks fetch the columns of B once for both");

}  // namespace

PERFCHECK_GEMM_KERNEL(clusters_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(clusters_bf16, kKernel<mma::Bf16>);
