// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Fragments of TF32 by ldmatrix, for ldmatrix_tf32 and the steps after it.
#pragma once

#include <perfcheck/ptx_sm80.cuh>

#include "tf32_tile.cuh"

namespace perfcheck::tf32 {

/// Four matrices of 8 rows x 16 bytes. ldmatrix moves pairs of 2-byte elements; such a pair is one float here, so lane
/// l receives k = l % 4 of row l / 4, which is what mma.m16n8k8 wants of A and of column-major B.
template <BLayout kLayout, Shape kShape>
struct MatrixReads {
  using OfTiles = Tiles<kLayout, kShape>;

  /// As PlainReads::read_a(): the quarters of 16 rows x 8 k, down the rows first.
  static __device__ __forceinline__ void read_a(uint32_t (&a)[4], unsigned char const* tiles, int i, int k) {
    int const lane = threadIdx.x % kWarp;
    int const row = WarpPlace<kShape>().row + i * kMmaM + lane % 16;
    ptx::ldmatrix_x4(a, ptx::shared_address(tiles + OfTiles::a(row, k / kChunk + lane / 16)));
    mma::round_to_tf32(a);
  }

  /// Fragments j and j + 1 of B: the quarters of 16 columns x 8 k, along k first. ldmatrix cannot transpose elements of
  /// 4 bytes, so those of row-major B are read one by one.
  static __device__ __forceinline__ void read_two_b(uint32_t (&b)[4], unsigned char const* tiles, int j, int k) {
    if constexpr (OfTiles::kRowMajor) {
#pragma unroll
      for (int next = 0; next < 2; ++next) {
        uint32_t fragment[2];
        PlainReads<kLayout, kShape>::read_b(fragment, tiles, j + next, k);
        b[next * 2] = fragment[0];
        b[next * 2 + 1] = fragment[1];
      }
    } else {
      int const lane = threadIdx.x % kWarp;
      int const column = WarpPlace<kShape>().column + j * kMmaN + lane / 16 * 8 + lane % 8;
      ptx::ldmatrix_x4(b, ptx::shared_address(tiles + OfTiles::b_column(column, k / kChunk + lane / 8 % 2)));
      mma::round_to_tf32(b);
    }
  }
};

/// As add_tiles().
template <BLayout kLayout, Shape kShape>
__device__ __forceinline__ void add_tiles_by_ldmatrix(WarpSums<kShape>& sums, unsigned char const* tiles) {
  using Reads = MatrixReads<kLayout, kShape>;
#pragma unroll
  for (int k = 0; k < kShape.tile_k; k += kMmaK) {
    uint32_t a[sums.kM][4];
#pragma unroll
    for (int i = 0; i < sums.kM; ++i) Reads::read_a(a[i], tiles, i, k);
#pragma unroll
    for (int j = 0; j < sums.kN; j += 2) {
      uint32_t b[4];
      Reads::read_two_b(b, tiles, j, k);
#pragma unroll
      for (int i = 0; i < sums.kM; ++i) {
        ptx::mma_m16n8k8_tf32(sums.at[i][j], a[i], b[0], b[1]);
        ptx::mma_m16n8k8_tf32(sums.at[i][j + 1], a[i], b[2], b[3]);
      }
    }
  }
}

}  // namespace perfcheck::tf32
