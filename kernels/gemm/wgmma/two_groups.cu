// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Two groups of math warps multiply rows of the same tile, so that columns of B are copied once for
//                   both. Registers move from the copy warps to the math warps (setmaxnreg).
// Previous step     copy_warp: 128 x 128 of D instead of 64 x 128; one block on a multiprocessor; a whole warpgroup
//                   copies, because registers move between warpgroups, and one of its threads does the work.
// Tile and threads  Block 128 x 128 of D, 8 math warps and 4 copy warps, k in steps of 128 bytes.
// Shared memory     6 stages of 32 KiB.
// Intensity         64 FLOP per byte of global memory, 43 per byte of shared memory.
// Expected          A third less traffic from L2 than copy_warp.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            64 bytes per cycle from L2 while tensor cores are busy, which is more than L2 brings to all
//                   multiprocessors.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 128, .groups = 2, .stages = 6, .rows_together = 1, .pending = 0}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) two_groups(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, false>(two_groups<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("two warpgroups share a tile; registers move to them");

}  // namespace

PERFCHECK_GEMM_KERNEL(two_groups_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(two_groups_bf16, kKernel<mma::Bf16>);
