// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The last stage of a tile and the first of the next are multiplied half by half, so that tensor
//                   cores have work while either half is stored (halves.cuh).
// Previous step     turn_back: 256 x 128 of D, since halves need two instructions per step; and clusters, which share
//                   rows of A.
// Tile and threads  Block 256 x 128 of D, 8 math warps and 4 copy warps, k in steps of 128 bytes.
// Shared memory     4 stages of 48 KiB, and 32 KiB for strips.
// Intensity         128 FLOP per byte of global memory, 43 per byte of shared memory.
// Expected          1000 of the 2300 cycles between two tiles. Instructions of 128 columns read a fifth more of shared
//                   memory, which costs power.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            Power.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 256,
                                       .tile_n = 128,
                                       .groups = 2,
                                       .stages = 4,
                                       .strips = 2,
                                       .cluster_n = 2,
                                       .turns_back = true,
                                       .halves = 1}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) halves(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(halves<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel =
    make_kernel<Launch, Row, Space>("one half of a tile is stored while the other is multiplied");

}  // namespace

PERFCHECK_GEMM_KERNEL(halves_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(halves_bf16, kKernel<mma::Bf16>);
