// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32; 16 x 8 sums per thread, each over every fourth k.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The tiles that are left after whole rounds are cut along k and shared by all blocks (stream_k.cuh).
// Previous step     persistent: the last round is full. A block that continues a tile leaves its sums in the
//                   workspace, and the block that began it adds them.
// Tile and threads  As persistent: block 64 x 128 of D, 256 math threads and 128 copy threads, k in steps of 32.
// Shared memory     As persistent: 200 KiB.
// Intensity         As persistent; besides, 32 KiB per block are written once and read once.
// Expected          As persistent, but no multiprocessor is without work in the last round.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 4.
// Limits            Passing sums through the workspace and clearing the flags cost a few microseconds, which small
//                   problems do not gain back.
#include "stream_k.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::ring;

template <int kPoint, BLayout kBLayout>
__global__ void __launch_bounds__(kLargeShapes[kPoint].threads(), 1)
    stream_k(GemmArgs args, StreamPlan plan, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = kLargeShapes[kPoint];
  extern __shared__ __align__(1024) unsigned char memory[];
  stream<kShape, kBLayout>(args, plan, maps, *reinterpret_cast<SharedMemory<kShape>*>(memory));
#endif
}

template <int kPoint>
void launch(GemmArgs const& args) {
  constexpr Shape kShape = kLargeShapes[kPoint];
  if (args.b_layout == BLayout::row_major) {
    launch_stream<kShape, BLayout::row_major>(stream_k<kPoint, BLayout::row_major>, args);
  } else {
    launch_stream<kShape, BLayout::column_major>(stream_k<kPoint, BLayout::column_major>, args);
  }
}

template <int kPoint>
std::size_t workspace_bytes(GemmProblem const& /*problem*/) {
  return workspace_of_stream<kLargeShapes[kPoint]>();
}

template <int kPoint>
constexpr GemmKernel kKernel{.summary = "the last tiles are shared by all blocks, cut along k",
                             .types = GemmTypes::f32,
                             .arch = arch_exactly(9, 0),
                             .accepts = refuse_unaligned,
                             .workspace_bytes = workspace_bytes<kPoint>,
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(stream_k, kLargeShapes, kKernel);
