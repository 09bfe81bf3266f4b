// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A warp's sums on their way from the registers of mma.sync to D.
#pragma once

#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>

namespace perfcheck::mma {

constexpr int kStripRows = 16;  // rows of sums of one mma.sync, and of a strip of shared memory

/// How a lane's sums lie in a strip of kColumns columns: mma.sync's tiles of 8 columns lie side by side. PTX, "Matrix
/// Fragments for mma.m16n8k16 with floating point type": a lane has columns 2(lane % 4) and the next, of row lane / 4
/// and of the row 8 below.
template <int kColumns>
struct SideBySide {
  static constexpr int kStride = kColumns + 8;  // the four rows that half a warp writes together lie 8 banks apart
  float* lane_sums;

  __device__ __forceinline__ SideBySide(float* strip, int lane)
      : lane_sums(strip + lane / 4 * kStride + lane % 4 * 2) {}

  template <int kTiles>
  __device__ __forceinline__ void put(float const (&sums)[kTiles][4]) const {
#pragma unroll
    for (int j = 0; j < kTiles; ++j) {
      float* const upper = lane_sums + j * 8;
      *reinterpret_cast<float2*>(upper) = {sums[j][0], sums[j][1]};
      *reinterpret_cast<float2*>(upper + 8 * kStride) = {sums[j][2], sums[j][3]};
    }
  }
};

/// Bytes of shared memory that `warps` warps need for storing sums of kColumns columns.
template <int kColumns, template <int> class Order = SideBySide>
constexpr int strip_bytes(int warps) {
  return warps * kStripRows * Order<kColumns>::kStride * int{sizeof(float)};
}

/// Stores a warp's sums, kTilesM x kTilesN results of mma.sync, to D at (row, column). 16 rows at a time pass through
/// the warp's own part of `shared`, so that lanes store 16 bytes of a row of D each.
template <class T, template <int> class Order = SideBySide, int kTilesM, int kTilesN>
__device__ __forceinline__ void store_sums(GemmArgs const& args, int row, int column, float* shared,
                                           float const (&sums)[kTilesM][kTilesN][4]) {
  constexpr int kColumns = kTilesN * 8;
  constexpr int kStride = Order<kColumns>::kStride;
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float* const strip = shared + warp * kStripRows * kStride;
  Order<kColumns> const order(strip, lane);
#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
    order.put(sums[i]);
    __syncwarp();
    store_block<T, kStripRows, kColumns, kStride>(args, row + i * kStripRows, column, strip);
    __syncwarp();
  }
}

}  // namespace perfcheck::mma
