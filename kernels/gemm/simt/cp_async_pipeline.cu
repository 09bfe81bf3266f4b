// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 16 x 8 elements of D per thread (8 x 8 in the small shape).
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A pipeline of tiles in shared memory: cp.async copies a tile without passing through registers, two
//                   or three tiles ahead of the one being multiplied, and one barrier per tile is enough.
// Previous step     register_tile: copies become asynchronous; the numbers for the next step of k are read from shared
//                   memory while the present step multiplies; the tile per thread grows to 16 x 8, so that 128
//                   multiply-adds share six reads from shared memory; tiles are dealt to blocks in compact groups.
// Tile and threads  Large shape: block 128 x 256 of D, 256 threads as 2 x 4 warps of 64 x 64. Small shape: block
//                   64 x 128, 128 threads as 2 x 2 warps of 32 x 64. k in steps of 8. launch() takes the shape that
//                   keeps the multiprocessors busier.
// Shared memory     Large: 3 stages, 36.8 KiB. Small: 4 stages, 25 KiB, at most 128 registers.
// Requires          Compute capability 8.0 for cp.async. Any size, any alignment: row-major B is copied 16 bytes at a
//                   time where its rows are aligned to 16 bytes, else 4; zeros stand for what lies outside.
// Limits            A, and column-major B, are copied 4 bytes at a time because they are transposed on the way.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTileK = 8;
constexpr int kColumnsPerThread = 8;  // two quads, 32 apart
// Tile rows in shared memory are padded by a quad: the eight k of a line that is copied transposed fall into banks
// 4 apart, so a warp that copies four lines meets 32 different banks.
constexpr int kPadding = 4;

/// How a block is cut into warps, and a warp's rows into threads.
template <int kWarpsM, int kWarpsN, int kRowQuads, int kStagesOfShape, int kBlocks>
struct Shape {
  static constexpr int kRowsPerThread = 4 * kRowQuads;  // quads 16 apart
  static constexpr int kWarpM = 16 * kRowQuads;
  static constexpr int kWarpN = 64;
  static constexpr int kTileM = kWarpsM * kWarpM;
  static constexpr int kTileN = kWarpsN * kWarpN;
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  static constexpr int kStages = kStagesOfShape;
  static constexpr int kBlocksPerMultiprocessor = kBlocks;
  static_assert(kThreads % kTileN == 0 && kTileM % (kThreads / kTileK) == 0, "copies divide the tiles evenly");
};
using LargeShape = Shape<2, 4, 4, 3, 1>;
using SmallShape = Shape<2, 2, 2, 4, 4>;

template <typename S>
struct Stage {
  float a[kTileK][S::kTileM + kPadding];  // (k, row)
  float b[kTileK][S::kTileN + kPadding];  // (k, column)
};

/// How tiles of B are copied.
enum class CopyB { row_quads, row_elements, transposed };

/// One thread's share in copying tiles: four elements of A, and two quads or eight elements of B.
template <typename S, CopyB kCopyB>
struct TileCopy {
  // Lines that are copied transposed (rows of A, columns of column-major B): eight lanes take the k of one line, and
  // the block takes kLines lines at a time.
  static constexpr int kLines = S::kThreads / kTileK;
  static constexpr int kWidth = kCopyB == CopyB::row_quads ? 4 : 1;  // elements of B per copy
  float const* a;
  float const* b;
  uint32_t a_shared, b_shared;  // where this thread's first element goes in stage 0
  int a_rows_left, a_k_left;    // elements from this thread's first one of the next tile to the end of the matrix
  int b_columns_left, b_k_left;
  int64_t lda, ldb;

  __device__ TileCopy(GemmArgs const& args, Stage<S> const& stage, int tile_row, int tile_column)
      : lda(args.lda), ldb(args.ldb) {
    int const thread = threadIdx.x;
    int const line = thread / kTileK;
    int const k = thread % kTileK;
    a = static_cast<float const*>(args.a) + (int64_t{tile_row} + line) * lda + k;
    a_shared = ptx::shared_address(&stage.a[k][line]);
    a_rows_left = args.m - tile_row - line;
    a_k_left = args.k - k;

    bool const transposed = kCopyB == CopyB::transposed;
    int const b_k = transposed ? k : thread * kWidth / S::kTileN;
    int const b_column = transposed ? line : thread * kWidth % S::kTileN;
    b = static_cast<float const*>(args.b);
    b += transposed ? (int64_t{tile_column} + b_column) * ldb + b_k : b_k * ldb + tile_column + b_column;
    b_shared = ptx::shared_address(&stage.b[b_k][b_column]);
    b_columns_left = args.n - tile_column - b_column;
    b_k_left = args.k - b_k;
  }

  /// Starts the copy of the next tile of A into the stage that begins `stage_offset` bytes after stage 0.
  __device__ __forceinline__ void start_a(uint32_t stage_offset) {
    int const rows = a_k_left > 0 ? a_rows_left : 0;
    float const* from = a;
#pragma unroll
    for (int line = 0; line < S::kTileM; line += kLines) {
      ptx::cp_async_4(a_shared + stage_offset + line * 4, from, line < rows);
      from += kLines * lda;
    }
    a += kTileK;
    a_k_left -= kTileK;
  }

  /// The same for B.
  __device__ __forceinline__ void start_b(uint32_t stage_offset) {
    float const* from = b;
    if constexpr (kCopyB == CopyB::transposed) {
      int const columns = b_k_left > 0 ? b_columns_left : 0;
#pragma unroll
      for (int line = 0; line < S::kTileN; line += kLines) {
        ptx::cp_async_4(b_shared + stage_offset + line * 4, from, line < columns);
        from += kLines * ldb;
      }
      b += kTileK;
    } else {
      constexpr int kRows = kWidth * S::kThreads / S::kTileN;  // rows of B that the block copies at a time
      constexpr int kRowBytes = sizeof(Stage<S>::b[0]);
#pragma unroll
      for (int k = 0; k < kTileK; k += kRows) {
        uint32_t const to = b_shared + stage_offset + k * kRowBytes;
        if constexpr (kCopyB == CopyB::row_quads) {
          ptx::cp_async_16(to, from, k < b_k_left ? min(max(b_columns_left, 0), 4) * 4 : 0);
        } else {
          ptx::cp_async_4(to, from, k < b_k_left && b_columns_left > 0);
        }
        from += kRows * ldb;
      }
      b = from;
    }
    b_k_left -= kTileK;
  }
};

/// The numbers one step of k needs: the thread's rows of A and columns of B.
template <typename S>
struct Fragment {
  alignas(16) float a[S::kRowsPerThread];
  alignas(16) float b[kColumnsPerThread];

  __device__ __forceinline__ void read(Stage<S> const& stage, int k, int row, int column) {
#pragma unroll
    for (int i = 0; i < S::kRowsPerThread; i += 4) {
      *reinterpret_cast<float4*>(&a[i]) = *reinterpret_cast<float4 const*>(&stage.a[k][row + 4 * i]);
    }
#pragma unroll
    for (int j = 0; j < kColumnsPerThread; j += 4) {
      *reinterpret_cast<float4*>(&b[j]) = *reinterpret_cast<float4 const*>(&stage.b[k][column + 8 * j]);
    }
  }
};

template <int kRows>
__device__ __forceinline__ void multiply(float (&sum)[kRows][kColumnsPerThread], float const (&a)[kRows],
                                         float const (&b)[kColumnsPerThread]) {
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kColumnsPerThread; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
  }
}

template <typename S, CopyB kCopyB>
__global__ void __launch_bounds__(S::kThreads, S::kBlocksPerMultiprocessor) cp_async_pipeline(GemmArgs args) {
  __shared__ __align__(16) Stage<S> stages[S::kStages];
  TileIndex const tile = grouped_tile(blockIdx.x, tiles_to_cover(args.m, S::kTileM), tiles_to_cover(args.n, S::kTileN));
  int const tile_row = tile.row * S::kTileM;
  int const tile_column = tile.column * S::kTileN;
  // Lanes lie 4 x 8 in a warp's tile, in an order that puts 2 x 4 of them into each quarter of the warp: a 16-byte read
  // by a warp then takes 64 contiguous bytes of A's tile and 128 of B's, and no two lanes meet in a bank.
  int const lane = threadIdx.x % 32;
  int const warp = threadIdx.x / 32;
  int const row = warp % (S::kTileM / S::kWarpM) * S::kWarpM + lane / 2 % 4 * 4;
  int const column = warp / (S::kTileM / S::kWarpM) * S::kWarpN + (lane / 8 * 2 + lane % 2) * 4;

  TileCopy<S, kCopyB> copy(args, stages[0], tile_row, tile_column);
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
    copy.start_a(stage * sizeof(Stage<S>));
    copy.start_b(stage * sizeof(Stage<S>));
    ptx::cp_async_commit();
  }
  ptx::cp_async_wait<S::kStages - 2>();
  __syncthreads();

  float sum[S::kRowsPerThread][kColumnsPerThread] = {};
  Fragment<S> fragment[2];
  fragment[0].read(stages[0], 0, row, column);
  int read_stage = 0;
  int write_stage = S::kStages - 1;
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
#pragma unroll
    for (int k = 0; k < kTileK; ++k) {
      // Copies next to each other: on compute capability 9.0 each group of them costs three more instructions.
      if (k == 0) copy.start_a(write_stage * sizeof(Stage<S>));
      if (k == kTileK / 2) copy.start_b(write_stage * sizeof(Stage<S>));
      if (k == kTileK - 1) {
        ptx::cp_async_commit();
        ptx::cp_async_wait<S::kStages - 2>();  // the next tile has arrived, for this thread;
        __syncthreads();                       // for all threads, and none reads the present tile any more
        write_stage = read_stage;
        read_stage = read_stage + 1 == S::kStages ? 0 : read_stage + 1;
      }
      fragment[(k + 1) % 2].read(stages[read_stage], (k + 1) % kTileK, row, column);
      multiply(sum, fragment[k % 2].a, fragment[k % 2].b);
    }
  }
  ptx::cp_async_wait<0>();

#pragma unroll
  for (int i = 0; i < S::kRowsPerThread; ++i) {
    int const row_in_tile = row + i / 4 * 16 + i % 4;
    if (row_in_tile >= args.m - tile_row) continue;
    store_quad(args, tile_row + row_in_tile, tile_column + column, &sum[i][0]);
    store_quad(args, tile_row + row_in_tile, tile_column + column + 32, &sum[i][4]);
  }
}

template <typename S>
int tile_count(GemmArgs const& args) {
  return tiles_to_cover(args.m, S::kTileM) * tiles_to_cover(args.n, S::kTileN);
}

template <typename S>
void launch_shape(GemmArgs const& args) {
  auto kernel = cp_async_pipeline<S, CopyB::transposed>;
  if (args.b_layout == BLayout::row_major) {
    kernel = args.ldb % 4 == 0 ? cp_async_pipeline<S, CopyB::row_quads> : cp_async_pipeline<S, CopyB::row_elements>;
  }
  kernel<<<tile_count<S>(args), S::kThreads, 0, args.stream>>>(args);
}

/// Whether the large shape should take less time: a multiprocessor's share of tiles times the time of a tile. A large
/// tile holds four small ones, which cost an estimated 15 % more because their threads read more per multiply-add.
bool large_shape_pays(GemmArgs const& args) {
  int device = 0;
  int multiprocessors = 0;
  PERFCHECK_CUDA(cudaGetDevice(&device));
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  int const large = tiles_to_cover(tile_count<LargeShape>(args), multiprocessors);
  int const small = tiles_to_cover(tile_count<SmallShape>(args), multiprocessors);
  return 4.0 * large <= 1.15 * small;
}

void launch(GemmArgs const& args) {
  if (large_shape_pays(args)) {
    launch_shape<LargeShape>(args);
  } else {
    launch_shape<SmallShape>(args);
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(cp_async_pipeline, .summary = "cp.async pipeline of tiles, 16 x 8 sums per thread",
                      .types = GemmTypes::f32, .arch = arch_at_least(8, 0), .launch = launch);
