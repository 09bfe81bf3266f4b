// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The products of a stage are begun while those of the stage before are executing; only then do warps
//                   wait for the older ones. The tensor cores always have something to go on with.
// Previous step     wide_tile: waits for all groups of wgmma but the youngest.
// Tile and threads  As wide_tile.
// Shared memory     As wide_tile; a stage is released one stage later.
// Intensity         As wide_tile.
// Expected          The cycles at the end of each stage, some 5 %.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            As wide_tile, but for the ends of stages.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .rows_together = 1}};
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1) in_flight(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_tiles<V>(args, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_tiles<V, false>(in_flight<V>, args); }
};

template <class Row>
constexpr GemmKernel kKernel = make_kernel<Launch, Row, Space>("the next stage is begun before the last one is done");

}  // namespace

PERFCHECK_GEMM_KERNEL(in_flight_f16, kKernel<mma::F16>);
PERFCHECK_GEMM_KERNEL(in_flight_bf16, kKernel<mma::Bf16>);
