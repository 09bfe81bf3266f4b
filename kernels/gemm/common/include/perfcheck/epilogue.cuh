// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a GEMM kernel: D = alpha * (A * B) + beta * C, from sums in registers to the matrix D.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <perfcheck/gemm.h>

#include <cstdint>
#include <type_traits>

namespace perfcheck {

__device__ __forceinline__ float to_float(float value) { return value; }
__device__ __forceinline__ float to_float(__half value) { return __half2float(value); }
__device__ __forceinline__ float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }

/// Rounds to nearest, ties to even.
template <class T>
__device__ __forceinline__ T from_float(float value) {
  return value;
}
template <>
__device__ __forceinline__ __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ __forceinline__ __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

/// An element of D from its sum, which is FP32, FP16 or INT32. INT32 sums are scaled as integers (plain_gemm.cuh),
/// because FP32 has no room for all of their digits.
template <class T, class Sum>
__device__ __forceinline__ T result_of(GemmArgs const& args, Sum sum, bool has_c, T c) {
  if constexpr (std::is_integral_v<Sum>) {
    Sum const scaled = static_cast<Sum>(args.alpha) * sum;
    return has_c ? scaled + static_cast<Sum>(args.beta) * c : scaled;
  } else {
    float const scaled = args.alpha * to_float(sum);
    return from_float<T>(has_c ? scaled + args.beta * to_float(c) : scaled);
  }
}

/// Stores `kCount` neighbouring elements of one row of D, as one access. C is read only when beta is not 0.
template <class T, int kCount, class Sum>
__device__ __forceinline__ void store_elements(GemmArgs const& args, int row, int column, Sum const* sums) {
  struct alignas(kCount * sizeof(T)) Vector {
    T elements[kCount];
  };
  int64_t const offset = row * args.ldd + column;
  bool const has_c = args.beta != 0.0F;
  Vector c = {};
  if (has_c) c = *reinterpret_cast<Vector const*>(static_cast<T const*>(args.c) + offset);
  Vector d;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    d.elements[i] = result_of<T>(args, sums[i], has_c, c.elements[i]);
  }
  *reinterpret_cast<Vector*>(static_cast<T*>(args.d) + offset) = d;
}

/// Stores a block of sums, kRows x kColumns, that a warp holds in shared memory with kStride elements between
/// rows, to D at (row, column). What lies outside D is left out. Each lane stores 16 bytes at a time if rows of D are
/// aligned to that and the block's columns all lie inside; otherwise lanes store neighbouring elements.
template <class T, int kRows, int kColumns, int kStride, class Sum>
__device__ __forceinline__ void store_block(GemmArgs const& args, int row, int column, Sum const* block) {
  constexpr int kCount = 16 / sizeof(T);
  int const lane = threadIdx.x % 32;
  int const rows = min(kRows, args.m - row);
  int const columns = min(kColumns, args.n - column);
  if (columns == kColumns && args.ldd % kCount == 0) {
    constexpr int kVectors = kColumns / kCount;
#pragma unroll 1
    for (int i = lane; i < rows * kVectors; i += 32) {
      int const r = i / kVectors, c = i % kVectors * kCount;
      store_elements<T, kCount>(args, row + r, column + c, block + r * kStride + c);
    }
  } else {
#pragma unroll 1
    for (int i = lane; i < rows * kColumns; i += 32) {
      int const r = i / kColumns, c = i % kColumns;
      if (c < columns) store_elements<T, 1>(args, row + r, column + c, block + r * kStride + c);
    }
  }
}

}  // namespace perfcheck
