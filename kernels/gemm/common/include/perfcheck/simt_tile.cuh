// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What several steps of the ladders in kernels/gemm/simt share: where a thread reads its part of each tile, with zeros
// for what lies outside the matrix; in which order it multiplies and adds; which problems the steps take.
#pragma once

#include <cuda_fp16.h>
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

#include <cstdint>
#include <optional>

namespace perfcheck {

/// For .accepts of steps that read row-major B only.
inline Refusal refuse_column_major_b(GemmProblem const& problem) {
  if (problem.b_layout == BLayout::row_major) return std::nullopt;
  return "this step of the ladder reads row-major B; cp_async_pipeline reads both";
}

/// Whether the rows of A and of row-major B consist of whole quads of elements that are aligned to their size.
inline bool has_whole_quads(GemmArgs const& args) {
  return args.k % 4 == 0 && args.lda % 4 == 0 && args.n % 4 == 0 && args.ldb % 4 == 0;
}

/// Four elements of a row, of which the first `left` exist (none if it is 0 or less); zeros for the others. With
/// `kWhole` a quad is one read, exists as a whole or not at all, and must be aligned to 16 bytes.
template <bool kWhole>
__device__ __forceinline__ float4 read_quad_or_zeros(float const* source, int left) {
  if constexpr (kWhole) {
    return left > 0 ? *reinterpret_cast<float4 const*>(source) : float4{};
  } else {
    return {left > 0 ? source[0] : 0.0F, left > 1 ? source[1] : 0.0F, left > 2 ? source[2] : 0.0F,
            left > 3 ? source[3] : 0.0F};
  }
}

/// The same for FP16 elements; a quad has 8 bytes.
template <bool kWhole>
__device__ __forceinline__ float4 read_quad_or_zeros(__half const* source, int left) {
  struct alignas(8) Quad {
    __half elements[4];
  };
  Quad quad = {};
  if constexpr (kWhole) {
    if (left > 0) quad = *reinterpret_cast<Quad const*>(source);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i < left) quad.elements[i] = source[i];
    }
  }
  return {__half2float(quad.elements[0]), __half2float(quad.elements[1]), __half2float(quad.elements[2]),
          __half2float(quad.elements[3])};
}

/// A as seen by a thread that copies tiles of it: from the thread's first element of the current tile on.
template <class T = float>
struct ViewOfA {
  T const* at;
  int64_t lda;
  int rows;    // from the element to the last row
  int k_left;  // from the element to the end of the row; none if the row lies outside

  __device__ __forceinline__ ViewOfA(GemmArgs const& args, int tile_row, int row, int k)
      : at(static_cast<T const*>(args.a) + (int64_t{tile_row} + row) * args.lda + k),
        lda(args.lda),
        rows(args.m - tile_row - row),
        k_left(rows > 0 ? args.k - k : 0) {}

  /// How many elements are left in the row `row` rows below; less than 1 if there are none.
  __device__ __forceinline__ int left(int row) const { return row == 0 || row < rows ? k_left : 0; }
  __device__ __forceinline__ float element(int row = 0) const { return left(row) > 0 ? at[row * lda] : 0.0F; }
  template <bool kWhole>
  __device__ __forceinline__ float4 quad(int row = 0) const {
    return read_quad_or_zeros<kWhole>(at + row * lda, left(row));
  }
  __device__ __forceinline__ void next_tile(int tile_k) {
    at += tile_k;
    k_left -= tile_k;
  }
};

/// The same for row-major B.
template <class T = float>
struct ViewOfB {
  T const* at;
  int64_t ldb;
  int k_left;
  int columns;  // from the element to the end of the row

  __device__ __forceinline__ ViewOfB(GemmArgs const& args, int tile_column, int k, int column)
      : at(static_cast<T const*>(args.b) + k * args.ldb + tile_column + column),
        ldb(args.ldb),
        k_left(args.k - k),
        columns(args.n - tile_column - column) {}

  /// How many elements are left in the row `k` rows below; less than 1 if there are none.
  __device__ __forceinline__ int left(int k) const { return k < k_left ? columns : 0; }
  __device__ __forceinline__ float element(int k = 0) const { return left(k) > 0 ? at[k * ldb] : 0.0F; }
  template <bool kWhole>
  __device__ __forceinline__ float4 quad(int k = 0) const {
    return read_quad_or_zeros<kWhole>(at + k * ldb, left(k));
  }
  __device__ __forceinline__ void next_tile(int tile_k) {
    at += tile_k * ldb;
    k_left -= tile_k;
  }
};

/// Adds the product of a column of A and a row of B to a thread's sums. Each row of sums is traversed in the opposite
/// direction to the row before, so that every multiply-add shares a[i] or b[j] with its predecessor. The register file
/// delivers one even and one odd register per cycle; an operand that is kept from the previous instruction does not
/// count.
template <int kRows, int kColumns>
__device__ __forceinline__ void multiply_add(float (&sum)[kRows][kColumns], float const (&a)[kRows],
                                             float const (&b)[kColumns]) {
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int step = 0; step < kColumns; ++step) {
      int const j = i % 2 == 0 ? step : kColumns - 1 - step;
      sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
  }
}

}  // namespace perfcheck
