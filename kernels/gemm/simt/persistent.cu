// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32; 16 x 8 sums per thread, each over every fourth k.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              One block stays on each multiprocessor and takes tile after tile. While its math warps store one
//                   tile, its copy thread already fills the ring with the next.
// Previous step     tma_ring: the block's units of work are a sequence of tiles, dealt so that blocks that run at the
//                   same time share rows of A and columns of B in the L2 cache (grouped_tile()).
// Tile and threads  As tma_ring: block 64 x 128 of D, 256 math threads and 128 copy threads, k in steps of 32.
// Shared memory     As tma_ring: 200 KiB.
// Intensity         As tma_ring.
// Expected          As tma_ring, without the empty ring at the start of each tile.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 4.
// Limits            The number of tiles is rarely a multiple of the number of multiprocessors: in the last round, some
//                   of them have no tile.
#include <algorithm>

#include "ring_copy.cuh"
#include "ring_math.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::ring;

template <int kPoint, BLayout kBLayout>
__global__ void __launch_bounds__(kLargeShapes[kPoint].threads(), 1)
    persistent(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = kLargeShapes[kPoint];
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<kShape>*>(memory);
  initialise(shared);
  EveryTile units(args, {.m = kShape.tile_rows(), .n = kShape.tile_columns(), .k = kTileK});
  if (threadIdx.x >= kShape.math_threads()) {
    become_copy_thread<kShape>();
    copy_tiles<kShape, kBLayout>(shared, maps, units);
  } else {
    become_math_thread<kShape>();
    MathThread<kShape, kBLayout> thread(shared);
    Unit unit;
    while (units.next(unit)) thread.store(args, unit.tile, thread.multiply(units.k_blocks));
  }
#endif
}

template <int kPoint, BLayout kBLayout>
void launch_layout(GemmArgs const& args) {
  constexpr Shape kShape = kLargeShapes[kPoint];
  int const tiles = tiles_to_cover(args.m, kShape.tile_rows()) * tiles_to_cover(args.n, kShape.tile_columns());
  launch_blocks<kShape>(persistent<kPoint, kBLayout>, std::min(tiles, multiprocessors()), 1, args.stream, args,
                        make_tensor_maps<kShape, kBLayout>(args));
}

template <int kPoint>
void launch(GemmArgs const& args) {
  if (args.b_layout == BLayout::row_major) {
    launch_layout<kPoint, BLayout::row_major>(args);
  } else {
    launch_layout<kPoint, BLayout::column_major>(args);
  }
}

template <int kPoint>
constexpr GemmKernel kKernel{.summary = "one block per multiprocessor; tiles follow each other without a gap",
                             .types = GemmTypes::f32,
                             .arch = arch_exactly(9, 0),
                             .accepts = refuse_unaligned,
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(persistent, kLargeShapes, kKernel);
