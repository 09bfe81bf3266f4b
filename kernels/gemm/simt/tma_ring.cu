// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32; 16 x 8 sums per thread, each over every fourth k.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              One thread copies and whole warps multiply; they meet only at barriers. Between them lies a ring of
//                   tiles in shared memory. The copy thread tells the copy engine (TMA) what to fetch; the math warps'
//                   instructions are multiply-adds and reads from shared memory, and almost nothing else.
// Previous step     wide_tile: no thread computes addresses for copies or waits for copies of its own; elements outside
//                   the matrices arrive as zeros; nothing is transposed, because the lanes of a quad multiply different
//                   k (ring_math.cuh); registers move from the warps that copy to those that multiply.
// Tile and threads  Block 64 x 128 of D, 256 math threads as 4 x 2 warps of 16 x 64 and 128 copy threads, one of which
//                   copies; k in steps of 32.
// Shared memory     200 KiB: seven stages of 24 KiB, and 32 KiB in which lanes add up their sums.
// Intensity         Per k, a block reads 768 bytes from global memory for 16 KiFLOP: 21 FLOP per byte. Per four k, a
//                   warp reads 6 x 512 bytes from shared memory for 8 KiFLOP: 2.7 FLOP per byte.
// Expected          Of 137 instructions per four k, 128 are multiply-adds, and the 6 reads hold them up for 1.2 cycles
//                   each (ldmatrix) or 2 (row-major B): 88 %.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 4.
// Limits            A block starts with an empty ring and ends with a store that nothing overlaps.
#include "ring_copy.cuh"
#include "ring_math.cuh"

namespace perfcheck::ring {

/// The units of a block that computes one tile.
struct OneTile {
  Unit unit;
  bool more = true;

  __device__ __forceinline__ bool next(Unit& result) {
    bool const had_more = more;
    result = unit;
    more = false;
    return had_more;
  }
};

}  // namespace perfcheck::ring

namespace {

using namespace perfcheck;
using namespace perfcheck::ring;

template <int kPoint, BLayout kBLayout>
__global__ void __launch_bounds__(kLargeShapes[kPoint].threads(), 1)
    tma_ring(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = kLargeShapes[kPoint];
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<kShape>*>(memory);
  initialise(shared);
  TileIndex const tile = grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_rows()),
                                      tiles_to_cover(args.n, kShape.tile_columns()));
  int const k_blocks = tiles_to_cover(args.k, kTileK);
  if (threadIdx.x >= kShape.math_threads()) {
    become_copy_thread<kShape>();
    copy_tiles<kShape, kBLayout>(shared, maps, OneTile{.unit = {.tile = tile, .k_begin = 0, .k_end = k_blocks}});
  } else {
    become_math_thread<kShape>();
    MathThread<kShape, kBLayout> thread(shared);
    thread.store(args, tile, thread.multiply(k_blocks));
  }
#endif
}

template <int kPoint, BLayout kBLayout>
void launch_layout(GemmArgs const& args) {
  constexpr Shape kShape = kLargeShapes[kPoint];
  int const tiles = tiles_to_cover(args.m, kShape.tile_rows()) * tiles_to_cover(args.n, kShape.tile_columns());
  launch_blocks<kShape>(tma_ring<kPoint, kBLayout>, tiles, 1, args.stream, args,
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
constexpr GemmKernel kKernel{.summary = "a thread with TMA fills a ring of tiles, math warps empty it",
                             .types = GemmTypes::f32,
                             .arch = arch_exactly(9, 0),
                             .accepts = refuse_unaligned,
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(tma_ring, kLargeShapes, kKernel);
