// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              One block stays on each multiprocessor and takes tile after tile. While its math warps store one
//                   tile, the ring is filled for the next.
// Previous step     in_flight: as many blocks as finish in the same number of rounds, at most one per multiprocessor.
// Tile and threads  As in_flight.
// Shared memory     As in_flight.
// Intensity         As in_flight.
// Expected          The start of a block and the first loads of each tile.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            Sums are stored two elements at a time, 16 bytes of a row per instruction and lane quad, while the
//                   tensor cores wait.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .rows_together = 1}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) persistent(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(persistent<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel =
    make_kernel<Launch, Row, Space>("one block per multiprocessor; the ring is filled while a tile is stored");

}  // namespace

PERFCHECK_GEMM_KERNEL(persistent_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(persistent_bf16, kKernel<mma::Bf16>);
