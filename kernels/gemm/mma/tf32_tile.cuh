// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the TF32 steps share: how a block's tile of D is cut into warps and fragments of mma.sync, where tiles of A and
// B lie in shared memory, how they get there, and how sums get from registers to D.
#pragma once

#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/operand_copies.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>
#include <perfcheck/tile_copy.cuh>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "tf32_round.cuh"
#include "warp_sums.cuh"

namespace perfcheck::tf32 {

constexpr int kWarp = 32;
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 8;
constexpr int kChunk = 4;  // floats in 16 bytes

/// For .accepts of steps, which copy 16 bytes at a time.
inline Refusal refuse_unaligned(GemmProblem const& problem) {
  if (problem.lda % kChunk == 0 && problem.ldb % kChunk == 0) return std::nullopt;
  return "this step of the ladder copies 16 bytes at a time, so lda and ldb must be multiples of 4; combined_tf32 "
         "takes "
         "any";
}

/// How a block computes its tile of D.
struct Shape {
  int tile_m = 128, tile_n = 128, tile_k = 16;  ///< of D and along k, per block
  int warp_m = 32, warp_n = 64;                 ///< of D, per warp
  int stages = 2;                               ///< tiles of A, and of B, in shared memory
  int blocks = 2;                               ///< that are to fit on a multiprocessor; limits registers
  bool swizzled = false;                        ///< instead of padded rows, where these hold k

  __host__ __device__ constexpr int warps_n() const { return tile_n / warp_n; }
  __host__ __device__ constexpr int threads() const { return tile_m / warp_m * warps_n() * kWarp; }
};
constexpr Shape kStepShape;  // of the steps that do not say otherwise

/// A tile of A and one of B in shared memory, one after the other. A has tile_m rows of tile_k elements, column-major B
/// has tile_n such rows, row-major B has tile_k rows of tile_n elements.
template <BLayout kLayout, Shape kShape>
struct Tiles {
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  static constexpr int kRowsB = kRowMajor ? kShape.tile_k : kShape.tile_n;
  static constexpr int kColumnsB = kRowMajor ? kShape.tile_n : kShape.tile_k;
  // A warp reads one element per lane: of A, and column-major B, from eight rows and four neighbouring k, so eight rows
  // must begin in eight groups of four banks (a padding of 16 bytes, or the swizzle); of row-major B from four rows and
  // eight columns, so four rows must begin 8 banks apart (a padding of 32 bytes).
  static constexpr int kBytesK = kShape.tile_k * 4;
  static constexpr int kStrideK = kBytesK + (kShape.swizzled ? 0 : 16);
  static constexpr int kBytesN = kShape.tile_n * 4;
  static constexpr int kStrideN = kBytesN + 32;
  using PlaceA = std::conditional_t<kShape.swizzled, Swizzled<kBytesK>, Padded<kBytesK, kStrideK>>;
  using PlaceB = std::conditional_t<kRowMajor, Padded<kBytesN, kStrideN>, PlaceA>;
  static constexpr int kBytesA = kShape.tile_m * kStrideK;
  static constexpr int kBytes = kBytesA + kRowsB * (kRowMajor ? kStrideN : kStrideK);
  static_assert(kShape.tile_k % kMmaK == 0 && kBytes % 128 == 0);

  /// Byte offsets: of four k of a row of A or a column of column-major B, and of an element of row-major B.
  static __device__ __forceinline__ int a(int row, int chunk) { return PlaceA::offset(row, chunk); }
  static __device__ __forceinline__ int b_column(int column, int chunk) {
    return kBytesA + PlaceA::offset(column, chunk);
  }
  static __device__ __forceinline__ int b_row(int k, int column) { return kBytesA + k * kStrideN + column * 4; }
};

/// Bytes of shared memory of a block, which holds the stages and later the sums.
template <BLayout kLayout, Shape kShape>
constexpr int kSharedBytes =
    std::max(kShape.stages * Tiles<kLayout, kShape>::kBytes, mma::strip_bytes<kShape.warp_n>(kShape.threads() / kWarp));

/// One thread's share of copying a block's rows of A and columns of B, tile after tile along k, by cp.async.
template <BLayout kLayout, Shape kShape>
class AsyncTiles {
  using Shared = Tiles<kLayout, kShape>;
  template <int kRows, int kColumns, class Place>
  using Copy = TileCopy<float, kRows, kColumns, kShape.threads(), true, Place>;

 public:
  __device__ __forceinline__ AsyncTiles(GemmArgs const& args, int row, int column) : of_(args, row, column) {}

  /// Starts copying the next tiles to `tiles`. Zeros for what lies outside A and B.
  __device__ __forceinline__ void copy_next(unsigned char* tiles) {
    of_.a.copy_next(tiles, of_.rows, of_.k);
    of_.b.copy_next(tiles + Shared::kBytesA, of_.rows_of_b(), of_.columns_of_b());
    of_.k -= kShape.tile_k;
  }

  /// The same without a branch. May be called past the last tile.
  __device__ __forceinline__ void copy_next_straight(unsigned char* tiles) {
    of_.a.copy_next_straight(tiles, of_.rows, of_.k);
    of_.b.copy_next_straight(tiles + Shared::kBytesA, of_.rows_of_b(), of_.columns_of_b());
    of_.k -= kShape.tile_k;
  }

 private:
  OperandCopies<float, Shared::kRowMajor, kShape.tile_k, Copy<kShape.tile_m, kShape.tile_k, typename Shared::PlaceA>,
                Copy<Shared::kRowsB, Shared::kColumnsB, typename Shared::PlaceB>>
      of_;
};

/// A warp's first row and column within the block's tile of D.
template <Shape kShape>
struct WarpPlace {
  int row = threadIdx.x / kWarp / kShape.warps_n() * kShape.warp_m;
  int column = threadIdx.x / kWarp % kShape.warps_n() * kShape.warp_n;
};

/// Reads fragments element by element, each lane its own, and rounds them. PTX, "Matrix Fragments for mma.m16n8k8": a
/// lane has rows lane / 4 and 8 below of A, column lane / 4 of B, and k = lane % 4 and 4 higher of both; A's rows come
/// first. Reads of volatile words happen as often as they are written.
template <BLayout kLayout, Shape kShape, class Word = uint32_t const>
struct PlainReads {
  using OfTiles = Tiles<kLayout, kShape>;

  /// Rows 16 i and following of the warp, k and following.
  static __device__ __forceinline__ void read_a(uint32_t (&a)[4], unsigned char const* tiles, int i, int k) {
    int const lane = threadIdx.x % kWarp;
    int const row = WarpPlace<kShape>().row + i * kMmaM + lane / 4;
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      a[part] = element(tiles, OfTiles::a(row + part % 2 * 8, k / kChunk + part / 2) + lane % 4 * 4);
    }
  }

  /// Columns 8 j and following of the warp.
  static __device__ __forceinline__ void read_b(uint32_t (&b)[2], unsigned char const* tiles, int j, int k) {
    int const lane = threadIdx.x % kWarp;
    int const column = WarpPlace<kShape>().column + j * kMmaN + lane / 4;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int const offset = OfTiles::kRowMajor ? OfTiles::b_row(k + half * 4 + lane % 4, column)
                                            : OfTiles::b_column(column, k / kChunk + half) + lane % 4 * 4;
      b[half] = element(tiles, offset);
    }
  }

 private:
  static __device__ __forceinline__ uint32_t element(unsigned char const* tiles, int offset) {
    uint32_t word = *reinterpret_cast<Word*>(tiles + offset);
    mma::round_to_tf32(word);
    return word;
  }
};

/// A warp's sums, in the layout of mma.sync: row lane / 4 and the one 8 below, columns 2 (lane % 4) and its neighbour.
template <Shape kShape>
struct WarpSums {
  static constexpr int kM = kShape.warp_m / kMmaM, kN = kShape.warp_n / kMmaN;
  float at[kM][kN][4] = {};

  /// Stores them to the tile of D that begins at `first`, through `shared`, which no warp uses any more.
  __device__ __forceinline__ void store(GemmArgs const& args, TileIndex first, unsigned char* shared) const {
    WarpPlace<kShape> const warp;
    mma::store_sums<float>(args, first.row + warp.row, first.column + warp.column, reinterpret_cast<float*>(shared),
                           at);
  }
};

/// Adds the products of one step of k, from `k` of the tiles on, to the sums, fragment by fragment of B: those of A are
/// read once.
template <BLayout kLayout, Shape kShape>
__device__ __forceinline__ void add_step(WarpSums<kShape>& sums, unsigned char const* tiles, int k) {
  using Reads = PlainReads<kLayout, kShape>;
  uint32_t a[sums.kM][4];
#pragma unroll
  for (int i = 0; i < sums.kM; ++i) Reads::read_a(a[i], tiles, i, k);
#pragma unroll
  for (int j = 0; j < sums.kN; ++j) {
    uint32_t b[2];
    Reads::read_b(b, tiles, j, k);
#pragma unroll
    for (int i = 0; i < sums.kM; ++i) ptx::mma_m16n8k8_tf32(sums.at[i][j], a[i], b[0], b[1]);
  }
}

/// Adds the product of the tiles that begin at `tiles` to the sums.
template <BLayout kLayout, Shape kShape>
__device__ __forceinline__ void add_tiles(WarpSums<kShape>& sums, unsigned char const* tiles) {
#pragma unroll
  for (int k = 0; k < kShape.tile_k; k += kMmaK) add_step<kLayout>(sums, tiles, k);
}

/// Multiplies all tiles: `add(tiles)` adds the product of the tiles that begin there to the sums. There is no branch in
/// the loop: one group of copies is committed per tile, past the end one of zeros, so that "all but the youngest
/// kShape.stages - 1 groups" always means: the current tile has arrived.
template <BLayout kLayout, Shape kShape, class Add>
__device__ __forceinline__ void for_all_tiles(AsyncTiles<kLayout, kShape> copy, int k_tiles, unsigned char* stages,
                                              Add const& add) {
  constexpr int kBytes = Tiles<kLayout, kShape>::kBytes;
#pragma unroll 1
  for (int stage = 0; stage < kShape.stages - 1; ++stage) {
    copy.copy_next_straight(stages + stage * kBytes);
    ptx::cp_async_commit();
  }
  int read_stage = 0, write_stage = kShape.stages - 1;
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
    copy.copy_next_straight(stages + write_stage * kBytes);
    ptx::cp_async_commit();
    ptx::cp_async_wait<kShape.stages - 1>();
    __syncthreads();  // the tiles have arrived for all threads
    add(stages + read_stage * kBytes);
    __syncthreads();  // no warp reads them any more
    write_stage = read_stage;
    read_stage = read_stage + 1 == kShape.stages ? 0 : read_stage + 1;
  }
  ptx::cp_async_wait<0>();  // copies of zeros end
  __syncthreads();          // in all threads
}

/// The first row and column of D that the calling block computes.
template <Shape kShape>
__device__ __forceinline__ TileIndex first_element(GemmArgs const& args) {
  TileIndex const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  return {.row = tile.row * kShape.tile_m, .column = tile.column * kShape.tile_n};
}

/// Launches a kernel with one block for each tile of D, and shared memory for its stages.
template <BLayout kLayout, Shape kShape>
void launch_tiles(void (*kernel)(GemmArgs), GemmArgs const& args) {
  constexpr int kBytes = kSharedBytes<kLayout, kShape>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  kernel<<<blocks, kShape.threads(), kBytes, args.stream>>>(args);
}

}  // namespace perfcheck::tf32
