// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The largest tile of two instructions: each math thread holds 128 sums. An instruction of 256
//                   columns reads least of shared memory, 80 bytes per cycle.
// Previous step     two_groups: 128 x 256 of D instead of 128 x 128.
// Tile and threads  Block 128 x 256 of D, 8 math warps and 4 copy warps, k in steps of 128 bytes.
// Shared memory     4 stages of 48 KiB.
// Intensity         85 FLOP per byte of global memory, 51 per byte of shared memory.
// Expected          48 bytes per cycle from L2 instead of 64.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            After each stage the tensor cores wait until warps have noticed that they are done. Nothing is
//                   multiplied while a tile is stored, nor while a new block starts.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .rows_together = 1, .pending = 0}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) wide_tile(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, false>(wide_tile<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("128 x 256 of D per block");

}  // namespace

PERFCHECK_GEMM_KERNEL(wide_tile_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(wide_tile_bf16, kKernel<mma::Bf16>);
