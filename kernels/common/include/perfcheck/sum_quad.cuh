// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Four sums, of FP32 or INT32, as one read or write of 16 bytes.
#pragma once

#include <cstdint>
#include <type_traits>

namespace perfcheck {

__device__ __forceinline__ float bits_as_float(float value) { return value; }
__device__ __forceinline__ float bits_as_float(std::int32_t value) { return __int_as_float(value); }

/// The bits of four sums.
template <class Sum>
__device__ __forceinline__ float4 quad_of(Sum const* sums) {
  return {bits_as_float(sums[0]), bits_as_float(sums[1]), bits_as_float(sums[2]), bits_as_float(sums[3])};
}

/// Adds to four sums those whose bits are in `quad`.
template <class Sum>
__device__ __forceinline__ void add_quad(Sum* sums, float4 quad) {
  float const bits[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    if constexpr (std::is_same_v<Sum, float>) {
      sums[e] += bits[e];
    } else {
      sums[e] += __float_as_int(bits[e]);
    }
  }
}

}  // namespace perfcheck
