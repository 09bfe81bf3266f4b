// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A correct GEMM in parts, one thread per element of D. Each kernel of this folder is built from them and adds one
// fault, so that tests can prove that verification catches it. Not for use outside tests.
#pragma once

#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/tile.cuh>

namespace perfcheck {

/// Blocks of 32 x 32 threads compute tiles of 32 x 32 elements of D.
inline constexpr int kTile = 32;

/// The element of D of the calling thread.
struct Position {
  int row, column;
  bool inside;

  __device__ bool in_tile(int tile_row, int tile_column) const {
    return row / kTile == tile_row && column / kTile == tile_column;
  }
};

__device__ __forceinline__ Position own_position(GemmArgs const& args) {
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kTile + static_cast<int>(threadIdx.y);
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kTile + static_cast<int>(threadIdx.x);
  return {.row = row, .column = column, .inside = row < args.m && column < args.n};
}

/// Element (row, k) of A.
template <class T>
__device__ __forceinline__ T a_element(GemmArgs const& args, int row, int k) {
  return static_cast<T const*>(args.a)[row * args.lda + k];
}

/// Element (k, column) of B.
template <class T>
__device__ __forceinline__ T b_element(GemmArgs const& args, int k, int column) {
  bool const column_major = args.b_layout == BLayout::column_major;
  return static_cast<T const*>(args.b)[column_major ? column * args.ldb + k : k * args.ldb + column];
}

/// Adds the products of steps k_begin to k_end - 1 to `sum`, in FP32.
template <class T>
__device__ __forceinline__ float add_products(float sum, GemmArgs const& args, int row, int column, int k_begin,
                                              int k_end) {
  for (int k = k_begin; k < k_end; ++k) {
    sum = fmaf(to_float(a_element<T>(args, row, k)), to_float(b_element<T>(args, k, column)), sum);
  }
  return sum;
}

/// Writes alpha * sum + beta * C to an element of D.
template <class T>
__device__ __forceinline__ void store_sum(GemmArgs const& args, int row, int column, float sum) {
  store_elements<T, 1>(args, row, column, &sum);
}

/// The whole of a correct kernel for one FP32 element.
__device__ __forceinline__ void compute_element(GemmArgs const& args, Position at) {
  if (!at.inside) return;
  store_sum<float>(args, at.row, at.column, add_products<float>(0.0F, args, at.row, at.column, 0, args.k));
}

/// Launches a kernel of this folder with one block per tile of D.
inline void launch_over_tiles(void (*kernel)(GemmArgs), GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  kernel<<<blocks, dim3(kTile, kTile), 0, args.stream>>>(args);
}

}  // namespace perfcheck
