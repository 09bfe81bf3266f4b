// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32; 16 x 8 sums per thread, each over every fourth k.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              For problems with fewer tiles than multiprocessors: k is cut into 2, 4 or 8 parts, and the blocks
//                   of a tile form a cluster. Each keeps its sums in its own shared memory, reads the others' through
//                   distributed shared memory, and adds and stores its share of the tile.
// Previous step     stream_k: sums do not pass through global memory, and no flags are cleared before the launch.
// Tile and threads  As tma_ring: block 64 x 128 of D, 256 math threads and 128 copy threads, k in steps of 32.
// Shared memory     As tma_ring: 200 KiB.
// Intensity         As tma_ring.
// Expected          As tma_ring; a launch, the first tile and the sum take some 4 us, in which nothing is multiplied.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 4.
// Limits            A cluster's blocks must fit into one GPC of 16 or 18 multiprocessors, so clusters of 8 leave some
//                   of them idle.
#include "ring_copy.cuh"
#include "ring_math.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::ring;

/// Adds up the sums of a cluster's `kParts` blocks, and stores this block's share of the quads to D.
template <Shape kShape, BLayout kBLayout, int kParts>
__device__ __forceinline__ void add_and_store(GemmArgs const& args, TileIndex tile, int part,
                                              MathThread<kShape, kBLayout> const& thread, float4 const* quads) {
  uint32_t const own = ptx::shared_address(quads);
#pragma unroll
  for (int first = 0; first < Sums<kShape>::kQuads; first += kParts) {
    int const quad = first + part;
    if (quad >= Sums<kShape>::kQuads) return;
    float sum[kQuad] = {};
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      float4 const of_part =
          ptx::read_cluster_quad(own + quad * kShape.math_threads() * static_cast<int>(sizeof(float4)), p);
      sum[0] += of_part.x;
      sum[1] += of_part.y;
      sum[2] += of_part.z;
      sum[3] += of_part.w;
    }
    thread.store_quad_of(args, tile, quad, sum);
  }
}

template <int kPoint, BLayout kBLayout, int kParts>
__global__ void __launch_bounds__(kLargeShapes[kPoint].threads(), 1)
    split_k(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  constexpr Shape kShape = kLargeShapes[kPoint];
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<kShape>*>(memory);
  initialise(shared);
  int const part = static_cast<int>(blockIdx.x) % kParts;
  OnePart const units(args, {.m = kShape.tile_rows(), .n = kShape.tile_columns(), .k = kTileK}, kParts);
  Unit const unit = units.unit;
  if (threadIdx.x >= kShape.math_threads()) {
    become_copy_thread<kShape>();
    copy_tiles<kShape, kBLayout>(shared, maps, units);
    ptx::cluster_barrier();
    ptx::cluster_barrier();
  } else {
    become_math_thread<kShape>();
    MathThread<kShape, kBLayout> thread(shared);
    Sums<kShape> const sums = thread.multiply(unit.k_end - unit.k_begin);
    ptx::named_barrier(kMathBarrier, kShape.math_threads());  // all have read the ring; it now takes the sums
    auto* const quads = reinterpret_cast<float4*>(memory) + threadIdx.x;
#pragma unroll
    for (int n = 0; n < Sums<kShape>::kQuads; ++n) {
      quads[n * kShape.math_threads()] = reinterpret_cast<float4 const*>(sums.of)[n];
    }
    ptx::cluster_barrier();
    add_and_store<kShape, kBLayout, kParts>(args, unit.tile, part, thread, quads);
    ptx::cluster_barrier();  // no block may leave while another reads its sums
  }
#endif
}

/// The number of parts, a power of two up to 8: every block gets a multiprocessor of its own, and every part at least
/// 128 k.
int parts_for(int tiles, int k) {
  int parts = 1;
  while (parts < 8 && tiles * parts * 2 <= multiprocessors() && k >= parts * 2 * 128) parts *= 2;
  return parts;
}

template <int kPoint, BLayout kBLayout>
void launch_layout(GemmArgs const& args) {
  constexpr Shape kShape = kLargeShapes[kPoint];
  int const tiles = tiles_to_cover(args.m, kShape.tile_rows()) * tiles_to_cover(args.n, kShape.tile_columns());
  auto const maps = make_tensor_maps<kShape, kBLayout>(args);
  auto const launch_parts = [&](auto kernel, int parts) {
    launch_blocks<kShape>(kernel, tiles * parts, parts, args.stream, args, maps);
  };
  switch (parts_for(tiles, args.k)) {
    case 8: return launch_parts(split_k<kPoint, kBLayout, 8>, 8);
    case 4: return launch_parts(split_k<kPoint, kBLayout, 4>, 4);
    case 2: return launch_parts(split_k<kPoint, kBLayout, 2>, 2);
    default: return launch_parts(split_k<kPoint, kBLayout, 1>, 1);
  }
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
constexpr GemmKernel kKernel{.summary = "clusters of blocks share a tile, cut along k, and add up in shared memory",
                             .types = GemmTypes::f32,
                             .arch = arch_exactly(9, 0),
                             .accepts = refuse_unaligned,
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(split_k, kLargeShapes, kKernel);
