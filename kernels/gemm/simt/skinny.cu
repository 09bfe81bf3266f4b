// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 for few rows; 16 x 4 sums per thread, each over every fourth
//                   k.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              With few rows, every element of B is used only a few times, and reading B is what takes the time.
//                   Tiles are 16 rows high and 256 columns wide, 160 KiB of B are in flight per multiprocessor, and all
//                   shares of the work are equal (stream_k.cuh), so that all memory channels are busy to the end.
// Previous step     stream_k: another shape of tile.
// Tile and threads  Block 16 x 256 of D, 256 math threads as 1 x 8 warps of 16 x 32 and 128 copy threads, one of which
//                   copies; k in steps of 32.
// Shared memory     188 KiB: five stages of 34 KiB, and 16 KiB in which lanes add up their sums.
// Intensity         Per k, a block reads 1.06 KiB from global memory for 8 KiFLOP: 7.5 FLOP per byte. Per four k, a
//                   warp reads 5 x 512 bytes from shared memory for 4 KiFLOP: 1.6 FLOP per byte.
// Expected          B at the speed of memory, 3.0 TB/s on an H100: 78 us for 14336 x 4096.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 4.
// Limits            From 64 rows on, reading B once per 16 rows takes longer than multiplying in larger tiles.
#include "stream_k.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::ring;

constexpr Shape kFlatShapes[] = {
    {.warps_m = 1, .warps_n = 8, .quads_m = 4, .quads_n = 1, .stages = 5},
    {.warps_m = 1, .warps_n = 8, .quads_m = 2, .quads_n = 1, .stages = 6},
    {.warps_m = 1, .warps_n = 4, .quads_m = 4, .quads_n = 1, .stages = 10},
    {.warps_m = 2, .warps_n = 4, .quads_m = 4, .quads_n = 1, .stages = 8},
};

template <int kPoint, BLayout kBLayout>
__global__ void __launch_bounds__(kFlatShapes[kPoint].threads(), 1)
    skinny(GemmArgs args, StreamPlan plan, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = kFlatShapes[kPoint];
  extern __shared__ __align__(1024) unsigned char memory[];
  stream<kShape, kBLayout>(args, plan, maps, *reinterpret_cast<SharedMemory<kShape>*>(memory));
#endif
}

template <int kPoint>
void launch(GemmArgs const& args) {
  constexpr Shape kShape = kFlatShapes[kPoint];
  if (args.b_layout == BLayout::row_major) {
    launch_stream<kShape, BLayout::row_major>(skinny<kPoint, BLayout::row_major>, args);
  } else {
    launch_stream<kShape, BLayout::column_major>(skinny<kPoint, BLayout::column_major>, args);
  }
}

template <int kPoint>
std::size_t workspace_bytes(GemmProblem const& /*problem*/) {
  return workspace_of_stream<kFlatShapes[kPoint]>();
}

Refusal accepts(GemmProblem const& problem) {
  if (problem.m > 64) return "for at most 64 rows; stream_k takes any number";
  return refuse_unaligned(problem);
}

template <int kPoint>
constexpr GemmKernel kKernel{.summary = "few rows: wide, flat tiles that read B at the speed of memory",
                             .types = GemmTypes::f32,
                             .arch = arch_exactly(9, 0),
                             .accepts = accepts,
                             .workspace_bytes = workspace_bytes<kPoint>,
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(skinny, kFlatShapes, kKernel);
