// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              Row-major B in reads of 16 bytes, for tiles as wide as registers allow. ldmatrix cannot transpose
//                   elements of 4 bytes, so the columns of row-major B are dealt to the 8-column tiles of mma.sync in
//                   an order (column_of below) that puts a lane's elements of four tiles, and of D, next to each other:
//                   one read in place of four.
// Previous step     deep_pipeline_tf32: the order of columns; two stages of 32 k instead of four of 16; fragments of
//                   the next step of k are read while those of the current one are multiplied.
// Tile and threads  Block 128 x 256 of D, 256 threads as 2 x 4 warps of 64 x 64, k in steps of 32.
// Shared memory     2 stages, 96 KiB; at most 255 registers, one block per multiprocessor.
// Intensity         Global: 43 FLOP per byte. Shared: per k, a warp reads 512 bytes for 8192 FLOP, 16 FLOP per byte.
// Expected          For 8 k, 8 reads and 64 instructions that round for 32 mma.sync, with either layout of B. A tile
//                   has the time of one other to arrive, and both warps of a scheduler wait at the same barrier.
// Requires          Compute capability 8.0. Copies of 16 bytes need lda and ldb to be multiples of 4; otherwise copies
//                   of 4 bytes, asynchronous as well.
// Limits            One block per tile of D and no split along k, so small m * n leaves multiprocessors idle.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>
#include <perfcheck/tile_copy.cuh>

#include "tf32_round.cuh"
#include "warp_sums.cuh"

namespace {

using perfcheck::BLayout;
using perfcheck::GemmArgs;
using perfcheck::mma::round_to_tf32;

constexpr int kTileM = 128, kTileN = 256, kTileK = 32;
constexpr int kWarpM = 64, kWarpN = 64;
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 8;
constexpr int kStages = 2;
constexpr int kThreads = 256;

constexpr int kWarpsN = kTileN / kWarpN;
constexpr int kMmasM = kWarpM / kMmaM, kMmasN = kWarpN / kMmaN;
constexpr int kSteps = kTileK / kMmaK;  // k-steps in a k-tile
constexpr int kElementBytes = 4;
constexpr int kChunk = 16 / kElementBytes;  // elements in a copy of 16 bytes
constexpr int kGroup = 4 * kMmaN;           // columns dealt to four tiles of mma.sync
constexpr int kGroups = kWarpN / kGroup;
constexpr int kATileBytes = kTileM * kTileK * kElementBytes;
constexpr int kStageBytes = kATileBytes + kTileN * kTileK * kElementBytes;
constexpr int kSharedBytes = kStages * kStageBytes;
static_assert(kTileM / kWarpM * kWarpsN * 32 == kThreads, "warps cover the block's tile");
static_assert(kSteps % 2 == 0, "the two sets of fragments alternate across k-tiles");

/// Within a group of 32 columns: the column that is column `c` of mma tile `t`. Four tiles share a chunk of 16 bytes;
/// chunks of even `c` and of odd `c` lie 64 bytes apart, which keeps the eight lanes that read together, four rows of
/// two chunks, in different banks of the swizzled tile.
__device__ __forceinline__ int column_of(int t, int c) { return (c % 2 * 4 + c / 2) * kChunk + t; }

/// Copies a block's rows of A and columns of B, k-tile after k-tile: A as 128 x 32 elements, B as 32 x 256 (row-major)
/// or 256 x 32 (column-major, rows in the order in which ldmatrix takes them: tile after tile, eight columns each).
template <BLayout kLayout, bool kAligned>
struct StageCopy {
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  using CopyA = perfcheck::TileCopy<float, kTileM, kTileK, kThreads, kAligned>;
  using CopyB =
      perfcheck::TileCopy<float, kRowMajor ? kTileK : kTileN, kRowMajor ? kTileN : kTileK, kThreads, kAligned>;
  CopyA a;
  CopyB b;
  int rows, columns, k;  // what exists of A and B from the block's first element on; zeros beyond it

  __device__ __forceinline__ StageCopy(GemmArgs const& args, int row, int column)
      : a(static_cast<float const*>(args.a) + row * args.lda, args.lda, kTileK),
        b(static_cast<float const*>(args.b) + (kRowMajor ? column : column * args.ldb), args.ldb,
          kRowMajor ? kTileK * args.ldb : kTileK, kRowMajor ? CopyB::first_row() : dealt(CopyB::first_row())),
        rows(args.m - row),
        columns(args.n - column),
        k(args.k) {}

  __device__ __forceinline__ void copy_next(unsigned char* stage) {
    a.copy_next(stage, rows, k);
    b.copy_next(stage + kATileBytes, kRowMajor ? k : columns, kRowMajor ? columns : k);
    k -= kTileK;
  }

  /// The column of B that becomes row `row` of the column-major tile.
  static __device__ __forceinline__ int dealt(int row) {
    return row / kGroup * kGroup + column_of(row % kGroup / kMmaN, row % kMmaN);
  }
};

/// One k-step of a warp's operands, in the layout of mma.sync.
struct Fragments {
  uint32_t a[kMmasM][4];
  uint32_t b[kGroups][2][4];  // [group of columns][first or second four of k][tile of the group]
};

template <BLayout kLayout>
__device__ __forceinline__ void load_fragments(Fragments& fragments, unsigned char const* stage, int step) {
  int const lane = threadIdx.x % 32;
  int const warp_row = threadIdx.x / 32 / kWarpsN * kWarpM;
  int const warp_column = threadIdx.x / 32 % kWarpsN * kWarpN;
  int const k_chunk = step * kMmaK / kChunk;
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {  // the four 8 x 4 quarters of 16 x 8: down the rows first
    int const row = warp_row + i * kMmaM + lane % 16;
    int const offset = perfcheck::swizzled_offset<kTileK * kElementBytes>(row, k_chunk + lane / 16);
    perfcheck::ptx::ldmatrix_x4(fragments.a[i], perfcheck::ptx::shared_address(stage + offset));
  }
  unsigned char const* const b_tile = stage + kATileBytes;
#pragma unroll
  for (int group = 0; group < kGroups; ++group) {
    int const column = warp_column + group * kGroup;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      uint32_t(&b)[4] = fragments.b[group][half];
      if constexpr (kLayout == BLayout::row_major) {
        int const k = step * kMmaK + half * 4 + lane % 4;
        int const chunk = (column + column_of(0, lane / 4)) / kChunk;
        int const offset = perfcheck::swizzled_offset<kTileN * kElementBytes>(k, chunk);
        uint4 const elements = *reinterpret_cast<uint4 const*>(b_tile + offset);
        b[0] = elements.x, b[1] = elements.y, b[2] = elements.z, b[3] = elements.w;
      } else {
        int const offset = perfcheck::swizzled_offset<kTileK * kElementBytes>(column + lane, k_chunk + half);
        perfcheck::ptx::ldmatrix_x4(b, perfcheck::ptx::shared_address(b_tile + offset));
      }
    }
  }
}

/// Rounds each fragment once, however many products it is used in.
__device__ __forceinline__ void multiply(float (&sums)[kMmasM][kMmasN][4], Fragments& fragments) {
#pragma unroll
  for (int group = 0; group < kGroups; ++group) {
    round_to_tf32(fragments.b[group][0]);
    round_to_tf32(fragments.b[group][1]);
  }
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {
    round_to_tf32(fragments.a[i]);
#pragma unroll
    for (int j = 0; j < kMmasN; ++j) {
      auto const& b = fragments.b[j / 4];
      perfcheck::ptx::mma_m16n8k8_tf32(sums[i][j], fragments.a[i], b[0][j % 4], b[1][j % 4]);
    }
  }
}

/// Runs the ring of stages over all of k. Exactly one group of copies is committed per k-tile, an empty one past the
/// end, so that "all but the youngest kStages - 2 groups" always means "the next k-tile has arrived".
template <BLayout kLayout, bool kAligned>
__device__ __forceinline__ void accumulate(float (&sums)[kMmasM][kMmasN][4], unsigned char* stages,
                                           StageCopy<kLayout, kAligned> source) {
  int const k_tiles = perfcheck::tiles_to_cover(source.k, kTileK);
#pragma unroll 1
  for (int stage = 0; stage < kStages - 1; ++stage) {
    if (stage < k_tiles) source.copy_next(stages + stage * kStageBytes);
    perfcheck::ptx::cp_async_commit();
  }
  perfcheck::ptx::cp_async_wait<kStages - 2>();
  __syncthreads();

  Fragments fragments[2];
  load_fragments<kLayout>(fragments[0], stages, 0);
  int read_stage = 0, write_stage = kStages - 1;
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if (step == kSteps - 1) {
        perfcheck::ptx::cp_async_wait<kStages - 2>();
        __syncthreads();
        write_stage = read_stage;
        read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
      }
      // After the last k-tile this reads a stage with stale data, and the result is not used.
      load_fragments<kLayout>(fragments[(step + 1) % 2], stages + read_stage * kStageBytes, (step + 1) % kSteps);
      if (step == 0) {  // every warp read `write_stage` for the last time before the latest barrier
        if (tile + kStages - 1 < k_tiles) source.copy_next(stages + write_stage * kStageBytes);
        perfcheck::ptx::cp_async_commit();
      }
      multiply(sums, fragments[step % 2]);
    }
  }
}

/// How a lane's sums lie in a strip of kColumns columns: in D's order of columns, in which four neighbours are of four
/// tiles of mma.sync.
template <int kColumns>
struct Dealt {
  static constexpr int kStride = kColumns + 16;  // rows written together fall into different banks
  float* strip;
  int lane;

  __device__ __forceinline__ Dealt(float* strip, int lane) : strip(strip), lane(lane) {}

  template <int kTiles>
  __device__ __forceinline__ void put(float const (&sums)[kTiles][4]) const {
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {  // columns c and c + 1, then the same eight rows below
        auto const& tiles = &sums[group * 4];
        float* const lane_row = strip + (lane / 4 + part / 2 * 8) * kStride + group * kGroup;
        *reinterpret_cast<float4*>(lane_row + column_of(0, lane % 4 * 2 + part % 2)) = {tiles[0][part], tiles[1][part],
                                                                                        tiles[2][part], tiles[3][part]};
      }
    }
  }
};
static_assert(perfcheck::mma::strip_bytes<kWarpN, Dealt>(kThreads / 32) <= kSharedBytes);

template <BLayout kLayout, bool kAligned>
__global__ void __launch_bounds__(kThreads, 1) wide_tile_tf32(GemmArgs const args) {
  extern __shared__ __align__(128) unsigned char stages[];  // [kStages][A tile, B tile]
  auto const tile = perfcheck::grouped_tile(blockIdx.x, perfcheck::tiles_to_cover(args.m, kTileM),
                                            perfcheck::tiles_to_cover(args.n, kTileN));
  int const row = tile.row * kTileM;
  int const column = tile.column * kTileN;
  float sums[kMmasM][kMmasN][4] = {};
  accumulate<kLayout, kAligned>(sums, stages, {args, row, column});
  __syncthreads();  // the stages become the warps' space for sums
  int const warp = threadIdx.x / 32;
  perfcheck::mma::store_sums<float, Dealt>(args, row + warp / kWarpsN * kWarpM, column + warp % kWarpsN * kWarpN,
                                           reinterpret_cast<float*>(stages), sums);
}

template <BLayout kLayout, bool kAligned>
void launch_as(GemmArgs const& args) {
  auto const kernel = wide_tile_tf32<kLayout, kAligned>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  int const blocks = perfcheck::tiles_to_cover(args.m, kTileM) * perfcheck::tiles_to_cover(args.n, kTileN);
  kernel<<<blocks, kThreads, kSharedBytes, args.stream>>>(args);
}

void launch(GemmArgs const& args) {
  bool const aligned = args.lda % kChunk == 0 && args.ldb % kChunk == 0;
  if (args.b_layout == BLayout::row_major) {
    aligned ? launch_as<BLayout::row_major, true>(args) : launch_as<BLayout::row_major, false>(args);
  } else {
    aligned ? launch_as<BLayout::column_major, true>(args) : launch_as<BLayout::column_major, false>(args);
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(wide_tile_tf32, .summary = "mma.sync m16n8k8 TF32, cp.async double buffering, 128x256x32",
                      .types = perfcheck::GemmTypes::tf32, .arch = perfcheck::arch_at_least(8, 0), .launch = launch);
