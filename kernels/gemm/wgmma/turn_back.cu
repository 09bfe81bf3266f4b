// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A block multiplies every other tile from the last k to the first. The next tile of a supertile has
//                   the same rows of A, and it begins with those that L2 got last.
// Previous step     block_order: the direction along k; and no clusters, which gain nothing here.
// Tile and threads  As tma_store.
// Shared memory     As tma_store.
// Intensity         85 FLOP per byte of L2; DRAM is read less.
// Expected          At 4096 cubed, half of the rows of A need not be read again: less power for DRAM, a higher clock.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            Between two tiles the tensor cores wait for some 2300 cycles, in which sums are stored.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .turns_back = true}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) turn_back(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(turn_back<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel =
    make_kernel<Launch, Row, Space>("every other tile is multiplied from the last k to the first");

}  // namespace

PERFCHECK_GEMM_KERNEL(turn_back_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(turn_back_bf16, kKernel<mma::Bf16>);
