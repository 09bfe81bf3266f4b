// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring: tiles of A and B on their way from global memory to the multiply-adds. One thread tells the copy engine
// (TMA) what to fetch, math warps multiply; between them lie a few stages of shared memory. This file says how a block
// is cut up and what lies in its shared memory; ring_copy.cuh fills the ring, ring_math.cuh empties it, and each kernel
// that includes them decides which block computes what.
//
// Nothing is transposed on the way, although A has its k next to each other in memory, as has a column-major B: the
// four lanes of a quad multiply different k (ring_math.cuh), so that what lies along k is read along k.
#pragma once

#include <perfcheck/cluster_launch.h>
#include <perfcheck/gemm.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/tensor_map.h>
#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ring_position.cuh>
#include <perfcheck/tile.cuh>
#include <perfcheck/work_units.cuh>

#include <cstdint>

namespace perfcheck::ring {

constexpr int kWarp = 32;
constexpr int kQuad = 4;    // floats in 16 bytes
constexpr int kTileK = 32;  // k per stage: lines of 128 bytes, which the copy engine swizzles
constexpr int kLineBytes = kTileK * 4;
constexpr int kCopyThreads = 4 * kWarp;  // one of them copies; registers move between groups of four warps
constexpr int kMostBoxLines = 256;       // lines in one request to the copy engine

/// How a block is cut into warps, and a warp's tile into threads.
struct Shape {
  int warps_m = 0, warps_n = 0;  ///< math warps down and across the tile of D; their product is a multiple of 4
  int quads_m = 0;               ///< quads of rows per warp, and per thread; even
  int quads_n = 0;               ///< quads of columns per thread, of which eight lie across a warp's tile
  int stages = 0;                ///< tiles in the ring, at most 13

  __host__ __device__ constexpr int warp_rows() const { return kQuad * quads_m; }
  __host__ __device__ constexpr int warp_columns() const { return 8 * kQuad * quads_n; }
  __host__ __device__ constexpr int tile_rows() const { return warps_m * warp_rows(); }
  __host__ __device__ constexpr int tile_columns() const { return warps_n * warp_columns(); }
  __host__ __device__ constexpr int math_warps() const { return warps_m * warps_n; }
  __host__ __device__ constexpr int math_threads() const { return math_warps() * kWarp; }
  __host__ __device__ constexpr int threads() const { return math_threads() + kCopyThreads; }
};

/// "64x128-16x8-7": tile of D, sums per thread, stages.
constexpr PointName point_name(Shape const& shape) {
  PointName const parts[] = {join_with_x({shape.tile_rows(), shape.tile_columns()}),
                             join_with_x({kQuad * shape.quads_m, kQuad * shape.quads_n}), join_with_x({shape.stages})};
  PointName name;
  std::size_t at = 0;
  for (std::string_view const part : parts) {
    if (at > 0) name.text[at++] = '-';
    for (char const c : part) name.text[at++] = c;
  }
  return name;
}

/// The shapes that kernels for large matrices are tuned over.
constexpr Shape kLargeShapes[] = {
    {.warps_m = 4, .warps_n = 2, .quads_m = 4, .quads_n = 2, .stages = 7},
    {.warps_m = 8, .warps_n = 1, .quads_m = 4, .quads_n = 2, .stages = 6},
    {.warps_m = 4, .warps_n = 2, .quads_m = 6, .quads_n = 2, .stages = 5},
    {.warps_m = 8, .warps_n = 1, .quads_m = 6, .quads_n = 2, .stages = 4},
    {.warps_m = 2, .warps_n = 4, .quads_m = 6, .quads_n = 2, .stages = 4},
    {.warps_m = 4, .warps_n = 2, .quads_m = 4, .quads_n = 1, .stages = 10},
};

/// A tile of A and one of B: lines of 128 bytes, in which the copy engine has exchanged chunks of 16 bytes: chunk c of
/// line l lies at c ^ (l % 8), so that the same chunk of eight lines lies in eight groups of banks. Lines of A, and of
/// a column-major B, are 32 k of a row or column. A row-major B is cut into boxes of 32 columns, whose lines are 32
/// columns at one k. Groups of eight lines begin at multiples of 1024 bytes.
template <Shape kShape>
struct Stage {
  float a[kShape.tile_rows()][kTileK];
  float b[kShape.tile_columns()][kTileK];
};

/// What a block keeps in shared memory.
template <Shape kShape>
struct SharedMemory {
  Stage<kShape> stages[kShape.stages];
  float4 scratch[kShape.math_warps()][kQuad * kShape.quads_n][kWarp];  // for add_lanes() in ring_math.cuh
  uint64_t full[kShape.stages];                                        // barriers: a stage can be multiplied
};

/// Named barriers of the block: among math warps, and one per stage, that it can be filled again.
constexpr int kMathBarrier = 1;
constexpr int kFirstEmptyBarrier = 2;
template <Shape kShape>
constexpr int kEmptyThreads = kShape.math_threads() + kWarp;

/// Sets up the barriers. To be called by all threads of the block.
template <Shape kShape>
__device__ __forceinline__ void initialise(SharedMemory<kShape>& shared) {
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kShape.stages; ++stage) {
      ptx::mbarrier_init(ptx::shared_address(&shared.full[stage]), 1);
    }
    ptx::fence_mbarrier_init();
  }
  __syncthreads();
}

/// More than 128 sums per thread: math threads need all registers that can be spared.
template <Shape kShape>
constexpr bool kManySums = kShape.quads_m * kShape.quads_n > 8;

/// Moves registers from copy warps to math warps, in a block of 384 threads, which starts with 168 for each of them.
/// Smaller blocks have enough. To be called by all threads of the kind.
template <Shape kShape>
__device__ __forceinline__ void become_copy_thread() {
  if constexpr (kShape.threads() > 256) ptx::release_registers<kManySums<kShape> ? 24 : 40>();
}
template <Shape kShape>
__device__ __forceinline__ void become_math_thread() {
  if constexpr (kShape.threads() > 256) ptx::claim_registers<kManySums<kShape> ? 240 : 232>();
}

/// The tensor maps of A and B.
struct TensorMaps {
  CUtensorMap a, b;
};

/// Lines of B that one request to the copy engine fetches.
template <Shape kShape, BLayout kBLayout>
constexpr int kBoxLinesB = kBLayout == BLayout::row_major           ? kTileK
                           : kShape.tile_columns() <= kMostBoxLines ? kShape.tile_columns()
                                                                    : kMostBoxLines;

template <Shape kShape, BLayout kBLayout>
TensorMaps make_tensor_maps(GemmArgs const& args) {
  bool const row_major = kBLayout == BLayout::row_major;
  TensorLayout<2> const a{.data = args.a, .element = Element::f32, .sizes = {args.k, args.m}, .strides = {args.lda}};
  TensorLayout<2> const b{.data = args.b,
                          .element = Element::f32,
                          .sizes = {row_major ? args.n : args.k, row_major ? args.k : args.n},
                          .strides = {args.ldb}};
  return {.a = make_tensor_map(a, {kTileK, kShape.tile_rows()}, CU_TENSOR_MAP_SWIZZLE_128B),
          .b = make_tensor_map(b, {kTileK, kBoxLinesB<kShape, kBLayout>}, CU_TENSOR_MAP_SWIZZLE_128B)};
}

/// Launches `kernel`, which keeps a SharedMemory<kShape>, on `blocks` blocks in clusters of `cluster`.
template <Shape kShape, class... Parameters>
void launch_blocks(void (*kernel)(Parameters...), int blocks, int cluster, Stream stream, Parameters... parameters) {
  launch_clusters(
      kernel,
      {.blocks = blocks, .cluster = cluster, .threads = kShape.threads(), .shared_bytes = sizeof(SharedMemory<kShape>)},
      stream, parameters...);
}

/// Why the copy engine cannot read a problem's matrices, if so.
inline Refusal refuse_unaligned(GemmProblem const& problem) {
  if (problem.lda % kQuad == 0 && problem.ldb % kQuad == 0) return {};
  return "the copy engine (TMA) reads rows that begin at multiples of 16 bytes: lda and ldb must be multiples of 4; "
         "cp_async_pipeline takes any";
}

}  // namespace perfcheck::ring
