// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              One warpgroup executes wgmma: a product of 64 x 128 x 16 is one instruction of four warps, which
//                   reads both operands from shared memory by itself.
// Previous step     None: the first of this ladder. All threads copy tiles, by cp.async where rows are aligned.
// Tile and threads  Block 64 x 128 of D, 4 warps, k in steps of 128 bytes.
// Shared memory     24 KiB, in which chunks of 16 bytes lie as wgmma expects them: chunk c of line l at c ^ (l % 8).
// Intensity         43 FLOP per byte of global memory, 32 per byte of shared memory.
// Expected          Copies, waits and products follow each other: a third of what tensor cores can do.
// Requires          Compute capability 9.0 (sm_90a).
// Limits            Nothing overlaps, but for what several blocks on a multiprocessor do at the same time.
#include "ring.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 64, .tile_n = 128}};
};

/// Begins to copy lines of 128 bytes: line l begins at row `row` + l and column `column` of a row-major matrix of
/// `rows` x `columns`. What lies outside becomes zero.
template <int kLines, bool kAligned, class T>
__device__ __forceinline__ void copy_lines(unsigned char* to, T const* from, int64_t stride, int row, int column,
                                           int rows, int columns) {
  constexpr int kChunks = kLineBytes / 16, kAtATime = kGroupThreads / kChunks, kElements = 16 / int{sizeof(T)};
  int const chunk = static_cast<int>(threadIdx.x) % kChunks, first = static_cast<int>(threadIdx.x) / kChunks;
  int const left = columns - column - chunk * kElements;
#pragma unroll
  for (int line = first; line < kLines; line += kAtATime) {
    int const valid = row + line < rows ? min(max(left, 0), kElements) : 0;
    T const* const source = from + (row + line) * stride + column + chunk * kElements;
    unsigned char* const place = to + swizzled_offset<kLineBytes>(line, chunk);
    if constexpr (kAligned) {
      ptx::cp_async_16(ptx::shared_address(place), source, valid * int{sizeof(T)});
    } else {
      *reinterpret_cast<uint4*>(place) = load_chunk<false>(source, valid);
    }
  }
}

/// Begins to copy k-block `k_block` of a tile to a stage. With `kAligned`, rows must begin at multiples of 16 bytes,
/// and the copies are cp.async's, which the calling thread has to wait for. All threads of a group call it; before
/// wgmma reads the stage, each executes fence_for_copy_engine(), and all meet.
template <class V, bool kAligned>
__device__ __forceinline__ void copy_stage(unsigned char* stage, GemmArgs const& args, TileIndex tile, int k_block) {
  constexpr Shape kShape = V::kShape;
  auto const* const a = static_cast<typename V::In const*>(args.a);
  auto const* const b = static_cast<typename V::In const*>(args.b);
  int const row = tile.row * kShape.tile_m, column = tile.column * kShape.tile_n, k = k_block * V::kK;
  copy_lines<kShape.tile_m, kAligned>(stage, a, args.lda, row, k, args.m, args.k);
  if constexpr (V::kRowMajor) {
#pragma unroll
    for (int box = 0; box < V::kBoxes; ++box) {
      copy_lines<V::kK, kAligned>(stage + V::kBytesA + box * V::kK * kLineBytes, b, args.ldb, k, column + box * V::kK,
                                  args.k, args.n);
    }
  } else {
    copy_lines<kShape.tile_n, kAligned>(stage + V::kBytesA, b, args.ldb, column, k, args.n, args.k);
  }
}

template <class V, bool kAligned>
__global__ void __launch_bounds__(kGroupThreads) one_group(GemmArgs args, Divisor supertile) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  GroupMath<V> math(0);
  ClusterTiles<V> tiles(args, supertile);
  TileIndex tile;
  tiles.next(tile);
#pragma unroll 1
  for (int k = 0; k < tiles.k_blocks(); ++k) {
    copy_stage<V, kAligned>(memory, args, tile, k);
    ptx::cp_async_commit();
    ptx::cp_async_wait<0>();
    ptx::fence_for_copy_engine();  // wgmma reads as the copy engine does
    __syncthreads();
    math.multiply(ptx::shared_address(memory), k > 0);
    math.finish();
    __syncthreads();
  }
  store_directly(args, math, tile);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) {
    bool const aligned = mma::has_aligned_rows<typename V::Row>(args.lda, args.ldb);
    launch_clusters(aligned ? one_group<V, true> : one_group<V, false>,
                    {.blocks = count_cluster_tiles<V>(args), .threads = kGroupThreads, .shared_bytes = V::kStageBytes},
                    args.stream, args, tiles_of_supertile<V>(args));
  }
};

template <class Row>
constexpr GemmKernel kernel() {
  GemmKernel kernel = make_kernel<Launch, Row, Space>("one warpgroup, one wgmma; tiles copied by threads");
  kernel.accepts = nullptr;
  return kernel;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(one_group_f16, kernel<mma::F16>());
PERFCHECK_GEMM_KERNEL(one_group_bf16, kernel<mma::Bf16>());
