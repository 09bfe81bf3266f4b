// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP16 or BF16 data and FP32 accumulators.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: a pipeline of asynchronous copies. cp.async fills a ring of shared-memory stages, up to three k-tiles ahead,
//   while the tensor cores work from registers, which hides the latency of both global and shared memory.
// Change from wmma/shared_tile: cp.async instead of loads staged in registers; ldmatrix and mma.sync m16n8k16 instead
//   of the wmma fragments, whose layout is hidden, so that tiles can be swizzled instead of padded and the fragments of
//   the next k-step can be loaded during the current one; larger tiles; blocks ordered for the L2 cache.
// Tile and threads: block 128 x 256 x 32, 256 threads, warps 2 x 4 of 64 x 64.
// Shared memory: 4 stages of 24 KiB. Registers: up to 255, one block per multiprocessor.
// Requires: compute capability 8.0. Copies of 16 bytes need lda and ldb to be multiples of 8; otherwise elements are
//   copied one by one without overlap, through the same ring.
// Limits: one block per tile of D and no split along k, so small m * n leaves multiprocessors idle.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>
#include <perfcheck/tile_copy.cuh>

namespace {

using perfcheck::BLayout;
using perfcheck::GemmArgs;

constexpr int kTileM = 128, kTileN = 256, kTileK = 32;
constexpr int kWarpM = 64, kWarpN = 64;
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 16;
constexpr int kStages = 4;
constexpr int kThreads = 256;

constexpr int kWarpsN = kTileN / kWarpN;
constexpr int kMmasM = kWarpM / kMmaM, kMmasN = kWarpN / kMmaN;
constexpr int kSteps = kTileK / kMmaK;  // k-steps in a k-tile
constexpr int kElementBytes = 2;
constexpr int kChunk = 16 / kElementBytes;  // elements in a copy of 16 bytes
constexpr int kATileBytes = kTileM * kTileK * kElementBytes;
constexpr int kStageBytes = kATileBytes + kTileN * kTileK * kElementBytes;
constexpr int kSharedBytes = kStages * kStageBytes;
constexpr int kStripStride = kWarpN + 8;  // 8 floats of padding: rows written together fall into different banks
static_assert(kThreads / 32 * kMmaM * kStripStride * int{sizeof(float)} <= kSharedBytes);
static_assert(kTileM / kWarpM * kWarpsN * 32 == kThreads, "warps cover the block's tile");
static_assert(kSteps % 2 == 0, "the two sets of fragments alternate across k-tiles");

/// Copies a block's rows of A and columns of B, k-tile after k-tile: A as 128 x 32 elements, B as 32 x 256 (row-major)
/// or 256 x 32 (column-major).
template <class T, BLayout kLayout, bool kAligned>
struct StageCopy {
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  perfcheck::TileCopy<T, kTileM, kTileK, kThreads, kAligned> a;
  perfcheck::TileCopy<T, kRowMajor ? kTileK : kTileN, kRowMajor ? kTileN : kTileK, kThreads, kAligned> b;
  int rows, columns, k;  // what exists of A and B from the block's first element on; zeros beyond it

  __device__ __forceinline__ StageCopy(GemmArgs const& args, int row, int column)
      : a(static_cast<T const*>(args.a) + row * args.lda, args.lda, kTileK),
        b(static_cast<T const*>(args.b) + (kRowMajor ? column : column * args.ldb), args.ldb,
          kRowMajor ? kTileK * args.ldb : kTileK),
        rows(args.m - row),
        columns(args.n - column),
        k(args.k) {}

  __device__ __forceinline__ void copy_next(unsigned char* stage) {
    a.copy_next(stage, rows, k);
    b.copy_next(stage + kATileBytes, kRowMajor ? k : columns, kRowMajor ? columns : k);
    k -= kTileK;
  }
};

/// One k-step of a warp's operands, in the layout of mma.sync.
struct Fragments {
  uint32_t a[kMmasM][4];
  uint32_t b[kMmasN / 2][4];  // two neighbouring tiles of 8 columns, two registers each
};

template <BLayout kLayout>
__device__ __forceinline__ void load_fragments(Fragments& fragments, unsigned char const* stage, int step) {
  int const lane = threadIdx.x % 32;
  int const warp_row = threadIdx.x / 32 / kWarpsN * kWarpM;
  int const warp_column = threadIdx.x / 32 % kWarpsN * kWarpN;
  int const k_chunk = step * kMmaK / kChunk;
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {  // the four 8 x 8 quarters of 16 x 16: down the rows first
    int const row = warp_row + i * kMmaM + lane % 16;
    int const offset = perfcheck::swizzled_offset<kTileK * kElementBytes>(row, k_chunk + lane / 16);
    perfcheck::ptx::ldmatrix_x4(fragments.a[i], perfcheck::ptx::shared_address(stage + offset));
  }
  unsigned char const* const b_tile = stage + kATileBytes;
#pragma unroll
  for (int j = 0; j < kMmasN / 2; ++j) {  // the four quarters of 16 (k) x 16 (n): along k first
    int const column = warp_column + j * 2 * kMmaN;
    if constexpr (kLayout == BLayout::row_major) {
      int const k = step * kMmaK + lane % 16;
      int const offset = perfcheck::swizzled_offset<kTileN * kElementBytes>(k, column / kChunk + lane / 16);
      perfcheck::ptx::ldmatrix_x4_trans(fragments.b[j], perfcheck::ptx::shared_address(b_tile + offset));
    } else {
      int const row = column + lane / 16 * 8 + lane % 8;
      int const offset = perfcheck::swizzled_offset<kTileK * kElementBytes>(row, k_chunk + lane / 8 % 2);
      perfcheck::ptx::ldmatrix_x4(fragments.b[j], perfcheck::ptx::shared_address(b_tile + offset));
    }
  }
}

template <class T>
__device__ __forceinline__ void multiply(float (&sums)[kMmasM][kMmasN][4], Fragments const& fragments) {
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
    for (int j = 0; j < kMmasN; ++j) {
      uint32_t const* const b = &fragments.b[j / 2][j % 2 * 2];
      perfcheck::ptx::mma_m16n8k16<T>(sums[i][j], fragments.a[i], b[0], b[1]);
    }
  }
}

/// Runs the ring of stages over all of k. Exactly one group of copies is committed per k-tile, an empty one past the
/// end, so that "all but the youngest kStages - 2 groups" always means "the next k-tile has arrived".
template <class T, BLayout kLayout, bool kAligned>
__device__ __forceinline__ void accumulate(float (&sums)[kMmasM][kMmasN][4], unsigned char* stages,
                                           StageCopy<T, kLayout, kAligned> source) {
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
      multiply<T>(sums, fragments[step % 2]);
    }
  }
}

/// Stores a warp's sums, 16 rows at a time, through its own part of `shared`.
template <class T>
__device__ __forceinline__ void store_sums(GemmArgs const& args, int block_row, int block_column, float* shared,
                                           float const (&sums)[kMmasM][kMmasN][4]) {
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float* const strip = shared + warp * kMmaM * kStripStride;
  float* const lane_sums = strip + lane / 4 * kStripStride + lane % 4 * 2;
  int const row = block_row + warp / kWarpsN * kWarpM;
  int const column = block_column + warp % kWarpsN * kWarpN;
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
    for (int j = 0; j < kMmasN; ++j) {
      float* const upper = lane_sums + j * kMmaN;
      *reinterpret_cast<float2*>(upper) = {sums[i][j][0], sums[i][j][1]};
      *reinterpret_cast<float2*>(upper + 8 * kStripStride) = {sums[i][j][2], sums[i][j][3]};
    }
    __syncwarp();
    perfcheck::store_block<T, kMmaM, kWarpN, kStripStride>(args, row + i * kMmaM, column, strip);
    __syncwarp();
  }
}

template <class T, BLayout kLayout, bool kAligned>
__global__ void __launch_bounds__(kThreads, 1) f16_pipeline(GemmArgs const args) {
  extern __shared__ __align__(128) unsigned char stages[];  // [kStages][A tile, B tile]
  auto const tile = perfcheck::grouped_tile(blockIdx.x, perfcheck::tiles_to_cover(args.m, kTileM),
                                            perfcheck::tiles_to_cover(args.n, kTileN));
  int const row = tile.row * kTileM;
  int const column = tile.column * kTileN;
  float sums[kMmasM][kMmasN][4] = {};
  accumulate<T, kLayout, kAligned>(sums, stages, {args, row, column});
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T>(args, row, column, reinterpret_cast<float*>(stages), sums);
}

template <class T, BLayout kLayout, bool kAligned>
void launch_as(GemmArgs const& args) {
  auto const kernel = f16_pipeline<T, kLayout, kAligned>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  int const blocks = perfcheck::tiles_to_cover(args.m, kTileM) * perfcheck::tiles_to_cover(args.n, kTileN);
  kernel<<<blocks, kThreads, kSharedBytes, args.stream>>>(args);
}

template <class T>
void launch_type(GemmArgs const& args) {
  bool const aligned = args.lda % kChunk == 0 && args.ldb % kChunk == 0;
  if (args.b_layout == BLayout::row_major) {
    aligned ? launch_as<T, BLayout::row_major, true>(args) : launch_as<T, BLayout::row_major, false>(args);
  } else {
    aligned ? launch_as<T, BLayout::column_major, true>(args) : launch_as<T, BLayout::column_major, false>(args);
  }
}

void launch_f16(GemmArgs const& args) { launch_type<__half>(args); }
void launch_bf16(GemmArgs const& args) { launch_type<__nv_bfloat16>(args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(f16_pipeline, .summary = "mma.sync m16n8k16, 4-stage cp.async pipeline, 128x256x32",
                      .types = perfcheck::GemmTypes::f16, .arch = perfcheck::arch_at_least(8, 0), .launch = launch_f16);
PERFCHECK_GEMM_KERNEL(bf16_pipeline, .summary = "mma.sync m16n8k16, 4-stage cp.async pipeline, 128x256x32",
                      .types = perfcheck::GemmTypes::bf16, .arch = perfcheck::arch_at_least(8, 0),
                      .launch = launch_bf16);
