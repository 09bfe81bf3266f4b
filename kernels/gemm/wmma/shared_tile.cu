// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: D = alpha * A * B + beta * C with FP16 or BF16 data and FP32 accumulators.
// Layouts: A row-major, B row-major or column-major, C and D row-major; any leading dimensions.
// Idea: tensor cores through the portable CUDA C++ interface (nvcuda::wmma), fed from shared-memory tiles. The next
//   tiles are read into registers while the current ones are multiplied, and stored to the other of two buffers.
// Change from simt/register_tile_2d: a warp, not a thread, owns a block of sums, made of 16 x 16 fragments.
// Tile and threads: block 128 x 128 x 32, 256 threads, warps 2 x 4 of 64 x 32.
// Shared memory: 2 buffers of about 20 KiB, rows padded by 16 bytes so that rows read together fall into different
//   banks. Registers: at most 128, two blocks per multiprocessor (one when rows are not aligned).
// Requires: compute capability 8.0 (BF16 fragments). Loads of 16 bytes need lda and ldb to be multiples of 8; otherwise
//   elements are read one by one.
// Limits: the layout of a fragment is hidden, so results pass through shared memory on their way to D.
#include <mma.h>
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/tile.cuh>

#include <type_traits>

namespace {

using perfcheck::BLayout;
using perfcheck::GemmArgs;
namespace wmma = nvcuda::wmma;

constexpr int kTileM = 128, kTileN = 128, kTileK = 32;
constexpr int kWarpM = 64, kWarpN = 32;
constexpr int kMma = 16;  // fragments are 16 x 16 x 16
constexpr int kThreads = 256;

constexpr int kWarpsN = kTileN / kWarpN;
constexpr int kMmasM = kWarpM / kMma, kMmasN = kWarpN / kMma;
constexpr int kChunk = 8;                 // elements in a load of 16 bytes
constexpr int kPadding = kChunk;          // elements added to every row of a tile
constexpr int kStripStride = kWarpN + 4;  // floats per row of sums on their way out; 4 are padding
static_assert(kTileM / kWarpM * kWarpsN * 32 == kThreads, "warps cover the block's tile");

/// One operand's tile of kRows x kColumns elements, contiguous along columns, on its way through registers.
template <class T, int kRows, int kColumns, bool kAligned>
struct Tile {
  static constexpr int kStride = kColumns + kPadding;
  static constexpr int kElements = kRows * kStride;
  static constexpr int kChunksPerRow = kColumns / kChunk;
  static constexpr int kLoads = kRows * kChunksPerRow / kThreads;
  static_assert(kRows * kChunksPerRow % kThreads == 0);
  uint4 chunks[kLoads];

  /// Reads this thread's chunks of the tile at `source`, of which `rows` x `columns` exist; the rest becomes zero.
  __device__ __forceinline__ void load(T const* source, int64_t ld, int rows, int columns) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      int const row = (threadIdx.x + i * kThreads) / kChunksPerRow;
      int const column = (threadIdx.x + i * kThreads) % kChunksPerRow * kChunk;
      chunks[i] = perfcheck::load_chunk<kAligned>(source + row * ld + column, row < rows ? columns - column : 0);
    }
  }

  __device__ __forceinline__ void store(T* shared) const {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      int const row = (threadIdx.x + i * kThreads) / kChunksPerRow;
      int const column = (threadIdx.x + i * kThreads) % kChunksPerRow * kChunk;
      *reinterpret_cast<uint4*>(shared + row * kStride + column) = chunks[i];
    }
  }
};

/// The tiles of A and B of one step along k, and how they are addressed.
template <class T, BLayout kLayout, bool kAligned>
struct Tiles {
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  using TileA = Tile<T, kTileM, kTileK, kAligned>;
  using TileB = Tile<T, kRowMajor ? kTileK : kTileN, kRowMajor ? kTileN : kTileK, kAligned>;
  using FragmentB = wmma::fragment<wmma::matrix_b, kMma, kMma, kMma, T,
                                   std::conditional_t<kRowMajor, wmma::row_major, wmma::col_major>>;
  static constexpr int kElements = TileA::kElements + TileB::kElements;  // A, then B
  TileA a;
  TileB b;

  __device__ __forceinline__ void load(GemmArgs const& args, int row, int column, int k) {
    T const* const from_a = static_cast<T const*>(args.a) + row * args.lda + k;
    T const* const from_b = static_cast<T const*>(args.b) + (kRowMajor ? k * args.ldb + column : column * args.ldb + k);
    int const k_left = args.k - k, columns = args.n - column;
    a.load(from_a, args.lda, args.m - row, k_left);
    b.load(from_b, args.ldb, kRowMajor ? k_left : columns, kRowMajor ? columns : k_left);
  }

  __device__ __forceinline__ void store(T* shared) const {
    a.store(shared);
    b.store(shared + TileA::kElements);
  }
};

using Sums = wmma::fragment<wmma::accumulator, kMma, kMma, kMma, float>;

template <class T, BLayout kLayout, bool kAligned>
__device__ __forceinline__ void multiply(Sums (&sums)[kMmasM][kMmasN], T const* shared) {
  using Layout = Tiles<T, kLayout, kAligned>;
  constexpr int kStrideA = Layout::TileA::kStride, kStrideB = Layout::TileB::kStride;
  int const warp = threadIdx.x / 32;
  T const* const a_rows = shared + warp / kWarpsN * kWarpM * kStrideA;
  T const* const b_tile = shared + Layout::TileA::kElements;
#pragma unroll
  for (int k = 0; k < kTileK; k += kMma) {
    wmma::fragment<wmma::matrix_a, kMma, kMma, kMma, T, wmma::row_major> a[kMmasM];
    typename Layout::FragmentB b[kMmasN];
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) wmma::load_matrix_sync(a[i], a_rows + i * kMma * kStrideA + k, kStrideA);
#pragma unroll
    for (int j = 0; j < kMmasN; ++j) {
      int const column = warp % kWarpsN * kWarpN + j * kMma;
      int const offset = Layout::kRowMajor ? k * kStrideB + column : column * kStrideB + k;
      wmma::load_matrix_sync(b[j], b_tile + offset, kStrideB);
    }
#pragma unroll
    for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
      for (int j = 0; j < kMmasN; ++j) wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
    }
  }
}

/// Stores a warp's sums, 16 rows at a time, through its own part of `shared`.
template <class T>
__device__ __forceinline__ void store_sums(GemmArgs const& args, int block_row, int block_column, float* shared,
                                           Sums const (&sums)[kMmasM][kMmasN]) {
  int const warp = threadIdx.x / 32;
  float* const strip = shared + warp * kMma * kStripStride;
  int const row = block_row + warp / kWarpsN * kWarpM;
  int const column = block_column + warp % kWarpsN * kWarpN;
#pragma unroll
  for (int i = 0; i < kMmasM; ++i) {
#pragma unroll
    for (int j = 0; j < kMmasN; ++j) {
      wmma::store_matrix_sync(strip + j * kMma, sums[i][j], kStripStride, wmma::mem_row_major);
    }
    __syncwarp();
    perfcheck::store_block<T, kMma, kWarpN, kStripStride>(args, row + i * kMma, column, strip);
    __syncwarp();
  }
}

template <class T, BLayout kLayout, bool kAligned>
__global__ void __launch_bounds__(kThreads, kAligned ? 2 : 1) shared_tile(GemmArgs const args) {
  using Layout = Tiles<T, kLayout, kAligned>;
  static_assert(kThreads / 32 * kMma * kStripStride * sizeof(float) <= 2 * Layout::kElements * sizeof(T));
  __shared__ __align__(128) T buffers[2][Layout::kElements];

  auto const tile = perfcheck::grouped_tile(blockIdx.x, perfcheck::tiles_to_cover(args.m, kTileM),
                                            perfcheck::tiles_to_cover(args.n, kTileN));
  int const row = tile.row * kTileM;
  int const column = tile.column * kTileN;
  Sums sums[kMmasM][kMmasN];
  for (auto& row_of_sums : sums) {
    for (auto& fragment : row_of_sums) wmma::fill_fragment(fragment, 0.0F);
  }

  Layout next;
  next.load(args, row, column, 0);
  int const k_tiles = perfcheck::tiles_to_cover(args.k, kTileK);
#pragma unroll 1
  for (int i = 0; i < k_tiles; ++i) {
    // One barrier is enough: since the previous one, no warp reads this buffer, which was filled two steps ago.
    next.store(buffers[i % 2]);
    __syncthreads();
    if (i + 1 < k_tiles) next.load(args, row, column, (i + 1) * kTileK);
    multiply<T, kLayout, kAligned>(sums, buffers[i % 2]);
  }
  __syncthreads();  // the buffers become the warps' space for sums
  store_sums<T>(args, row, column, reinterpret_cast<float*>(&buffers[0][0]), sums);
}

template <class T, BLayout kLayout>
void launch_as(GemmArgs const& args) {
  int const blocks = perfcheck::tiles_to_cover(args.m, kTileM) * perfcheck::tiles_to_cover(args.n, kTileN);
  bool const aligned = args.lda % kChunk == 0 && args.ldb % kChunk == 0;
  auto const kernel = aligned ? shared_tile<T, kLayout, true> : shared_tile<T, kLayout, false>;
  kernel<<<blocks, kThreads, 0, args.stream>>>(args);
}

template <class T>
void launch_type(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<T, BLayout::row_major>(args)
                                      : launch_as<T, BLayout::column_major>(args);
}

void launch_f16(GemmArgs const& args) { launch_type<__half>(args); }
void launch_bf16(GemmArgs const& args) { launch_type<__nv_bfloat16>(args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(shared_tile_f16, .summary = "wmma 16x16x16 from double-buffered shared-memory tiles, 128x128x32",
                      .types = perfcheck::GemmTypes::f16, .arch = perfcheck::arch_at_least(8, 0), .launch = launch_f16);
PERFCHECK_GEMM_KERNEL(shared_tile_bf16, .summary = "wmma 16x16x16 from double-buffered shared-memory tiles, 128x128x32",
                      .types = perfcheck::GemmTypes::bf16, .arch = perfcheck::arch_at_least(8, 0),
                      .launch = launch_bf16);
