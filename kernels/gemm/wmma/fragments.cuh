// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the steps of the WMMA ladder share: the types that nvcuda::wmma multiplies, how a block's tile of D is cut into
// warps and fragments of 16 x 16, where tiles of A and B lie in shared memory, and how sums get from fragments to D.
#pragma once

#include <mma.h>
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace perfcheck::wmma {

namespace api = nvcuda::wmma;

constexpr int kWarp = 32;
constexpr int kSide = 16;  // rows and columns of a fragment of sums

// Types: what A and B consist of, as what they are multiplied, what sums are kept in, what C and D consist of, and the
// k of a fragment.

struct F16 {
  static constexpr GemmTypes kTypes = GemmTypes::f16;
  static constexpr char const* kName = "f16";
  using Element = __half;
  using Operand = __half;
  using Sum = float;
  using Result = __half;
  static constexpr int kMmaK = 16;
};
struct Bf16 {
  static constexpr GemmTypes kTypes = GemmTypes::bf16;
  static constexpr char const* kName = "bf16";
  using Element = __nv_bfloat16;
  using Operand = __nv_bfloat16;
  using Sum = float;
  using Result = __nv_bfloat16;
  static constexpr int kMmaK = 16;
};
struct Tf32 {
  static constexpr GemmTypes kTypes = GemmTypes::tf32;
  static constexpr char const* kName = "tf32";
  using Element = float;
  using Operand = api::precision::tf32;
  using Sum = float;
  using Result = float;
  static constexpr int kMmaK = 8;
};
struct S8 {
  static constexpr GemmTypes kTypes = GemmTypes::s8_s32;
  static constexpr char const* kName = "s8";
  using Element = signed char;
  using Operand = signed char;
  using Sum = int;
  using Result = int;
  static constexpr int kMmaK = 16;
};
struct F16Sums16 {
  static constexpr GemmTypes kTypes = GemmTypes::f16_f16;
  static constexpr char const* kName = "f16_f16";
  using Element = __half;
  using Operand = __half;
  using Sum = __half;
  using Result = __half;
  static constexpr int kMmaK = 16;
};

template <class T>
using FragmentA = api::fragment<api::matrix_a, kSide, kSide, T::kMmaK, typename T::Operand, api::row_major>;
template <class T, BLayout kLayout>
using FragmentB = api::fragment<api::matrix_b, kSide, kSide, T::kMmaK, typename T::Operand,
                                std::conditional_t<kLayout == BLayout::row_major, api::row_major, api::col_major>>;
template <class T>
using FragmentSums = api::fragment<api::accumulator, kSide, kSide, T::kMmaK, typename T::Sum>;

/// Elements in 16 bytes.
template <class T>
constexpr int kChunk = 16 / int{sizeof(typename T::Element)};

/// For .accepts of steps that copy 16 bytes at a time.
template <class T>
Refusal refuse_unaligned(GemmProblem const& problem) {
  if (problem.lda % kChunk<T> == 0 && problem.ldb % kChunk<T> == 0) return std::nullopt;
  return "this step of the ladder copies 16 bytes at a time, so lda and ldb must be multiples of " +
         std::to_string(kChunk<T>) + "; combined_" + T::kName + " takes any";
}

/// How a block computes its tile of D.
struct Shape {
  int tile_m = 0, tile_n = 0;  ///< rows and columns of D per block
  int warp_m = 0, warp_n = 0;  ///< and per warp, multiples of 16
  int line_bytes = 0;          ///< the k of a tile of A or B, in bytes
  int stages = 1;              ///< tiles of A, and of B, in shared memory
  bool padded = true;          ///< rows of tiles are longer than their contents
  int blocks = 1;              ///< that are to fit on a multiprocessor; limits registers
  bool read_ahead = false;     ///< fragments are loaded while those before them are multiplied

  __host__ __device__ constexpr int warps_n() const { return tile_n / warp_n; }
  __host__ __device__ constexpr int warps() const { return tile_m / warp_m * warps_n(); }
  __host__ __device__ constexpr int threads() const { return warps() * kWarp; }
};

/// A tile of A and one of B in shared memory, one after the other. A has tile_m rows of kTileK elements, column-major B
/// has tile_n such rows, row-major B has kTileK rows of tile_n elements.
template <class T, BLayout kLayout, Shape kShape>
struct Tiles {
  using Element = typename T::Element;
  static constexpr bool kRowMajor = kLayout == BLayout::row_major;
  static constexpr int kTileK = kShape.line_bytes / int{sizeof(Element)};
  static constexpr int kRowsB = kRowMajor ? kTileK : kShape.tile_n;
  static constexpr int kColumnsB = kRowMajor ? kShape.tile_n : kTileK;
  // A fragment's rows of 16 bytes are read eight at a time (ldmatrix): with 16 bytes of padding, rows of 64, 128, ...
  // bytes begin an odd number of chunks apart, in eight different groups of four banks. TF32 elements are read one by
  // one, from eight rows of A, or columns of B, and four k: along k, 16 bytes are right as well; where k runs down the
  // rows (row-major B), rows must lie 8 banks apart, so 32 bytes.
  static constexpr int kPadding = kShape.padded ? kChunk<T> : 0;
  static constexpr int kPaddingB = kRowMajor && sizeof(Element) == 4 ? 2 * kPadding : kPadding;
  static constexpr int kStrideA = kTileK + kPadding;
  static constexpr int kStrideB = kColumnsB + kPaddingB;
  static constexpr int kElementsA = kShape.tile_m * kStrideA;
  static constexpr int kElements = kElementsA + kRowsB * kStrideB;
  static_assert(kTileK % T::kMmaK == 0);

  static __device__ __forceinline__ int a(int row, int k) { return row * kStrideA + k; }
  static __device__ __forceinline__ int b(int k, int column) {
    return kElementsA + (kRowMajor ? k * kStrideB + column : column * kStrideB + k);
  }
};

/// Elements from one row of a warp's sums in shared memory to the next. With 8 of padding, the rows that a warp stores
/// together lie in different banks.
template <Shape kShape>
constexpr int kStripStride = kShape.warp_n + 8;

/// Bytes for a strip of 16 rows of sums for every warp.
template <class T, Shape kShape>
constexpr int kStripBytes = kShape.warps() * kSide * kStripStride<kShape> * int{sizeof(typename T::Sum)};

/// Bytes of shared memory for a kernel that keeps `stages` tiles, and later its sums, in the same place.
template <class T, BLayout kLayout, Shape kShape>
constexpr int kSharedBytes = std::max(
    kShape.stages * Tiles<T, kLayout, kShape>::kElements * int{sizeof(typename T::Element)}, kStripBytes<T, kShape>);

/// Rounds a fragment to TF32, to nearest; other fragments stay as they are. Tensor cores ignore the low bits of FP32
/// elements, and what nvcuda::wmma makes of elements that were not rounded is undefined (CUDA C++ Programming Guide,
/// "Warp Matrix Functions", "Alternate Floating Point").
template <class Fragment>
__device__ __forceinline__ void round_fragment(Fragment& fragment) {
  if constexpr (std::is_same_v<typename Fragment::element_type, api::precision::tf32>) {
#pragma unroll
    for (int i = 0; i < Fragment::num_elements; ++i) fragment.x[i] = api::__float_to_tf32(fragment.x[i]);
  }
}

/// Loads a fragment; `stride` is the distance between its rows (or columns, if it is column-major) in elements. CUDA
/// C++ asks for addresses that are multiples of 32 bytes and strides of 16. Fragments of INT8 that follow each other
/// along k are only 16 bytes apart; PTX ("wmma.load") asks for the bytes of a lane's part there, which are eight.
struct PlainLoad {
  template <class Fragment, class Element>
  static __device__ __forceinline__ void load(Fragment& fragment, Element const* from, int stride) {
    api::load_matrix_sync(fragment, from, stride);
  }
};

/// A warp's first row and column within the block's tile of D.
template <Shape kShape>
struct WarpPlace {
  int row = threadIdx.x / kWarp / kShape.warps_n() * kShape.warp_m;
  int column = threadIdx.x / kWarp % kShape.warps_n() * kShape.warp_n;
};

/// A warp's sums.
template <class T, Shape kShape>
struct WarpSums {
  static constexpr int kM = kShape.warp_m / kSide, kN = kShape.warp_n / kSide;
  FragmentSums<T> at[kM][kN];

  __device__ __forceinline__ WarpSums() {
#pragma unroll
    for (int i = 0; i < kM; ++i) {
#pragma unroll
      for (int j = 0; j < kN; ++j) api::fill_fragment(at[i][j], typename T::Sum(0));
    }
  }

  /// Adds the product of a fragment of A and the warp's fragments of B to row `i` of the fragments of sums.
  template <BLayout kLayout>
  __device__ __forceinline__ void add_row(int i, FragmentA<T> const& a, FragmentB<T, kLayout> const (&b)[kN]) {
#pragma unroll
    for (int j = 0; j < kN; ++j) api::mma_sync(at[i][j], a, b[j], at[i][j]);
  }

  /// Adds the product of the tiles that begin at `tiles`. Fragments of A are loaded one by one, which saves registers.
  template <BLayout kLayout, class Loader = PlainLoad>
  __device__ __forceinline__ void add_tiles(typename T::Element const* tiles) {
    using OfTiles = Tiles<T, kLayout, kShape>;
    WarpPlace<kShape> const warp;
#pragma unroll
    for (int k = 0; k < OfTiles::kTileK; k += T::kMmaK) {
      FragmentB<T, kLayout> b[kN];
#pragma unroll
      for (int j = 0; j < kN; ++j) {
        Loader::load(b[j], tiles + OfTiles::b(k, warp.column + j * kSide), OfTiles::kStrideB);
        round_fragment(b[j]);
      }
#pragma unroll
      for (int i = 0; i < kM; ++i) {
        FragmentA<T> a;
        Loader::load(a, tiles + OfTiles::a(warp.row + i * kSide, k), OfTiles::kStrideA);
        round_fragment(a);
        add_row<kLayout>(i, a, b);
      }
    }
  }

  /// Stores the sums to the tile of D at (tile_row, tile_column), 16 rows at a time. Which lane holds which element of
  /// a fragment is not specified, so they pass through the warp's strip of shared memory, which begins at `strips`.
  __device__ __forceinline__ void store(GemmArgs const& args, int tile_row, int tile_column, void* strips) const {
    constexpr int kStride = kStripStride<kShape>;
    using Sum = typename T::Sum;
    Sum* const strip = static_cast<Sum*>(strips) + threadIdx.x / kWarp * kSide * kStride;
    WarpPlace<kShape> const warp;
#pragma unroll
    for (int i = 0; i < kM; ++i) {
#pragma unroll
      for (int j = 0; j < kN; ++j) {
        api::store_matrix_sync(strip + j * kSide, at[i][j], kStride, api::mem_row_major);
      }
      __syncwarp();
      store_block<typename T::Result, kSide, kShape.warp_n, kStride>(args, tile_row + warp.row + i * kSide,
                                                                     tile_column + warp.column, strip);
      __syncwarp();
    }
  }
};

}  // namespace perfcheck::wmma
