// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the steps of the FP16 and BF16 ladder share: how a block's tile of D is cut into warps, where tiles of A and B
// lie in shared memory, the operands of mma.sync m16n8k16, and how a step is launched.
#pragma once

#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/operand_copies.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/register_tile.cuh>
#include <perfcheck/tile.cuh>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "warp_sums.cuh"

namespace perfcheck::mma_steps {

constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 16;  // mma.sync
constexpr int kElementBytes = 2;
constexpr int kChunk = 16 / kElementBytes;  // elements in 16 bytes

/// `T` is __half or __nv_bfloat16, the type of A, B, C and D; sums are FP32.
template <class T>
constexpr bool kIsF16 = std::is_same_v<T, __half>;
template <class T>
constexpr GemmTypes kTypes = kIsF16<T> ? GemmTypes::f16 : GemmTypes::bf16;

/// For .accepts of steps that copy 16 bytes at a time.
template <class T>
Refusal refuse_unaligned(GemmProblem const& problem) {
  if (problem.lda % kChunk == 0 && problem.ldb % kChunk == 0) return std::nullopt;
  return std::string("this step of the ladder copies 16 bytes at a time, so lda and ldb must be multiples of 8; ") +
         (kIsF16<T> ? "combined_f16" : "combined_bf16") + " takes any";
}

// ---- shapes and tiles ---------------------------------------------------------------------------------------------

/// How a block computes its tile of D.
struct Shape {
  int tile_m = 0, tile_n = 0;  ///< rows and columns of D per block
  int tile_k = 0;              ///< k of a tile of A or B
  int warp_m = 0, warp_n = 0;  ///< rows and columns of D per warp
  int stages = 0;              ///< tiles of A, and of B, in shared memory
  int blocks = 0;              ///< that are to fit on a multiprocessor; limits registers

  __host__ __device__ constexpr int warps_n() const { return tile_n / warp_n; }
  __host__ __device__ constexpr int warps() const { return tile_m / warp_m * warps_n(); }
  __host__ __device__ constexpr int threads() const { return warps() * 32; }
  __host__ __device__ constexpr int mmas_m() const { return warp_m / kMmaM; }
  __host__ __device__ constexpr int mmas_n() const { return warp_n / kMmaN; }
  __host__ __device__ constexpr int k_steps() const { return tile_k / kMmaK; }
};

/// A warp's first row and column within the block's tile of D.
template <Shape kShape>
struct WarpPlace {
  int row = threadIdx.x / 32 / kShape.warps_n() * kShape.warp_m;
  int column = threadIdx.x / 32 % kShape.warps_n() * kShape.warp_n;
};

/// Places of chunks of 16 bytes in a tile as in global memory, row after row without gaps. Swizzled and Padded are in
/// tile.cuh.
template <int kRowBytes>
struct Unpadded {
  static constexpr int kStride = kRowBytes;
  static __device__ __forceinline__ int row(int index) { return index; }
  static __device__ __forceinline__ int offset(int row, int chunk) { return row * kStride + chunk * 16; }
};

/// A tile of A and one of B in shared memory, one after the other. A has tile_m rows of tile_k elements, column-major B
/// has tile_n such rows, row-major B has tile_k rows of tile_n elements.
template <BLayout kLayout, Shape kOfShape, template <int> class Place>
struct Tiles {
  static constexpr Shape kShape = kOfShape;
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  static constexpr int kThreads = kShape.threads();
  static constexpr int kRowsA = kShape.tile_m, kColumnsA = kShape.tile_k;
  static constexpr int kRowsB = kRowMajor ? kShape.tile_k : kShape.tile_n;
  static constexpr int kColumnsB = kRowMajor ? kShape.tile_n : kShape.tile_k;
  using PlaceA = Place<kColumnsA * kElementBytes>;
  using PlaceB = Place<kColumnsB * kElementBytes>;
  static constexpr int kBytesA = kRowsA * PlaceA::kStride;
  static constexpr int kBytes = kBytesA + kRowsB * PlaceB::kStride;
  static constexpr int kStripBytes = mma::strip_bytes<kShape.warp_n>(kShape.warps());
  static_assert(kStripBytes <= kShape.stages * kBytes, "sums pass through the place of the stages");

  /// Byte offsets of elements.
  static __device__ __forceinline__ int a(int row, int k) {
    return PlaceA::offset(row, k / kChunk) + k % kChunk * kElementBytes;
  }
  static __device__ __forceinline__ int b(int k, int column) {
    int const row = kRowMajor ? k : column, along = kRowMajor ? column : k;
    return kBytesA + PlaceB::offset(row, along / kChunk) + along % kChunk * kElementBytes;
  }
};

/// Tiles that pass through registers. AsyncTiles in step_pipeline.cuh pass by them.
template <class T, class OfTiles>
class RegisterTiles {
  template <int kRows, int kColumns, class Place>
  using Copy = RegisterTile<T, kRows, kColumns, OfTiles::kThreads, Place>;
  OperandCopies<T, OfTiles::kRowMajor, OfTiles::kColumnsA,
                Copy<OfTiles::kRowsA, OfTiles::kColumnsA, typename OfTiles::PlaceA>,
                Copy<OfTiles::kRowsB, OfTiles::kColumnsB, typename OfTiles::PlaceB>>
      of_;

 public:
  __device__ __forceinline__ RegisterTiles(GemmArgs const& args, int row, int column) : of_(args, row, column) {}

  /// Reads the next tiles into registers; zeros past the end of k.
  __device__ __forceinline__ void read_next() {
    of_.a.read_next(of_.rows, of_.k);
    of_.b.read_next(of_.rows_of_b(), of_.columns_of_b());
    of_.k -= OfTiles::kColumnsA;
  }

  __device__ __forceinline__ void store(unsigned char* tiles) const {
    of_.a.store(tiles);
    of_.b.store(tiles + OfTiles::kBytesA);
  }
};

// ---- what a warp does ---------------------------------------------------------------------------------------------

/// A warp's sums, as mma.sync returns them.
template <Shape kShape>
struct Sums {
  float at[kShape.mmas_m()][kShape.mmas_n()][4] = {};
};

/// A warp's operands of one k-step, in the layout of mma.sync.
template <Shape kShape>
struct Fragments {
  uint32_t a[kShape.mmas_m()][4];
  uint32_t b[kShape.mmas_n() / 2][4];  // two neighbouring tiles of 8 columns, two registers each
};

/// What a lane of a warp loads. Fragments are 8 x 8 matrices, of which ldmatrix reads four: lane 8i + r gives the
/// address of row r of matrix i.
template <class OfTiles>
struct FragmentLoader {
  int lane = threadIdx.x % 32;
  WarpPlace<OfTiles::kShape> warp;

  /// The four quarters of 16 rows x 16 k of A: down the rows first.
  __device__ __forceinline__ void load_a(uint32_t (&a)[4], unsigned char const* tiles, int step, int i) const {
    int const row = warp.row + i * kMmaM + lane % 16;
    int const offset = OfTiles::PlaceA::offset(row, step * kMmaK / kChunk + lane / 16);
    ptx::ldmatrix_x4(a, ptx::shared_address(tiles + offset));
  }

  /// The four quarters of 16 k x 16 columns of B: along k first.
  __device__ __forceinline__ void load_b(uint32_t (&b)[4], unsigned char const* tiles, int step, int j) const {
    unsigned char const* const b_tile = tiles + OfTiles::kBytesA;
    int const column = warp.column + j * 2 * kMmaN;
    if constexpr (OfTiles::kRowMajor) {
      int const k = step * kMmaK + lane % 16;
      int const offset = OfTiles::PlaceB::offset(k, column / kChunk + lane / 16);
      ptx::ldmatrix_x4_trans(b, ptx::shared_address(b_tile + offset));
    } else {
      int const row = column + lane / 16 * 8 + lane % 8;
      int const offset = OfTiles::PlaceB::offset(row, step * kMmaK / kChunk + lane / 8 % 2);
      ptx::ldmatrix_x4(b, ptx::shared_address(b_tile + offset));
    }
  }
};

/// Loads the fragments of k-step `step` of the tiles that begin at `tiles`.
template <class OfTiles>
__device__ __forceinline__ void load_fragments(Fragments<OfTiles::kShape>& fragments, unsigned char const* tiles,
                                               int step) {
  FragmentLoader<OfTiles> const loader;
#pragma unroll
  for (int i = 0; i < OfTiles::kShape.mmas_m(); ++i) loader.load_a(fragments.a[i], tiles, step, i);
#pragma unroll
  for (int j = 0; j < OfTiles::kShape.mmas_n() / 2; ++j) loader.load_b(fragments.b[j], tiles, step, j);
}

/// Adds the products of 16 rows of A with all of the warp's columns of B.
template <class T, int kMmasN>
__device__ __forceinline__ void multiply_row(float (&sums)[kMmasN][4], uint32_t const (&a)[4],
                                             uint32_t const (&b)[kMmasN / 2][4]) {
#pragma unroll
  for (int j = 0; j < kMmasN; ++j) {
    uint32_t const* const pair = &b[j / 2][j % 2 * 2];
    ptx::mma_m16n8k16<T>(sums[j], a, pair[0], pair[1]);
  }
}

template <class T, Shape kShape>
__device__ __forceinline__ void multiply(Sums<kShape>& sums, Fragments<kShape> const& fragments) {
#pragma unroll
  for (int i = 0; i < kShape.mmas_m(); ++i) {
    multiply_row<T, kShape.mmas_n()>(sums.at[i], fragments.a[i], fragments.b);
  }
}

/// Stores a warp's sums of the block's tile at (row, column), through `shared`, which no thread uses any more.
template <class T, Shape kShape>
__device__ __forceinline__ void store_sums(GemmArgs const& args, int row, int column, void* shared,
                                           Sums<kShape> const& sums) {
  WarpPlace<kShape> const warp;
  mma::store_sums<T>(args, row + warp.row, column + warp.column, static_cast<float*>(shared), sums.at);
}

// ---- on the host --------------------------------------------------------------------------------------------------

/// Launches one block for each tile of D, with `shared_bytes` of dynamic shared memory.
template <Shape kShape>
void launch_tiles(void (*kernel)(GemmArgs), int shared_bytes, GemmArgs const& args) {
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  kernel<<<blocks, kShape.threads(), shared_bytes, args.stream>>>(args);
}

}  // namespace perfcheck::mma_steps
