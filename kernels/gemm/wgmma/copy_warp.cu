// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A warp of its own fills the ring. The math warps meet no barrier of the block any more: they tell
//                   at barriers in shared memory that they have read a stage, and the copy thread fills it again.
// Previous step     ring: who copies; __syncthreads() in the main loop becomes barriers in shared memory.
// Tile and threads  Block 64 x 128 of D, 4 math warps and a copy warp, k in steps of 128 bytes.
// Shared memory     4 stages of 24 KiB; two blocks on a multiprocessor.
// Intensity         As ring: 43 FLOP per byte of global memory, 32 per byte of shared memory.
// Expected          As ring, without the time in which warps wait for each other.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            A wgmma of 128 columns reads shared memory at 96 of 128 bytes per cycle, and L2 brings 96 bytes per
//                   cycle and multiprocessor only in good times.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 64, .tile_n = 128, .stages = 4, .rows_together = 1, .pending = 0}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) copy_warp(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, false>(copy_warp<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("a warp copies, a warpgroup multiplies");

}  // namespace

PERFCHECK_GEMM_KERNEL(copy_warp_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(copy_warp_bf16, kKernel<mma::Bf16>);
