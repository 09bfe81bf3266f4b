// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A warp writes its results to strips of shared memory (stmatrix), sixteen rows of 128 bytes each,
//                   and lets the copy engine store them while it goes on.
// Previous step     persistent: strips instead of stores from registers.
// Tile and threads  As persistent.
// Shared memory     4 stages of 48 KiB, and 32 KiB for strips, two of each warp.
// Intensity         As persistent.
// Expected          Whole lines of D instead of pieces of 16 bytes. Stores take less than half of the time, and end
//                   behind the warp.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8. If ldd is none, warps copy strips to D
//                   element by element.
// Limits            L2 brings every block its own rows and columns, 48 bytes per cycle.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .rows_together = 1}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) tma_store(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, true>(tma_store<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel =
    make_kernel<Launch, Row, Space>("results leave through shared memory and the copy engine");

}  // namespace

PERFCHECK_GEMM_KERNEL(tma_store_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(tma_store_bf16, kKernel<mma::Bf16>);
