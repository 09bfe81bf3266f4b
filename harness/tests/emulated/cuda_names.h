// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Names that CUDA C++ knows without a header, for kernels that are compiled as C++. Included in front of them.
#pragma once

#include "simulator.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA reserved them
#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __grid_constant__
#define __grid_constant__
#define __CUDA_ARCH_FEAT_SM90_ALL 1
#define threadIdx (::perfcheck::emulated::thread_index())
#define blockIdx (::perfcheck::emulated::block_index())
#define blockDim (::perfcheck::emulated::block_size())
#define gridDim (::perfcheck::emulated::grid_size())

using std::max;
using std::min;

inline void __syncthreads() { ::perfcheck::emulated::named_barrier(0, ::perfcheck::emulated::threads_of_block()); }
inline void __syncwarp() {
  ::perfcheck::emulated::together("__syncwarp", nullptr, [](auto const& /*lanes*/) {});
}
inline int __shfl_sync(unsigned /*mask*/, int value, int from) {
  int result = value;
  ::perfcheck::emulated::together("__shfl_sync", &result, [from](::perfcheck::emulated::Operands const& lanes) {
    int const read = *static_cast<int*>(lanes[static_cast<std::size_t>(from)]);
    for (void* lane : lanes) *static_cast<int*>(lane) = read;
  });
  return result;
}
inline unsigned __shfl_xor_sync(unsigned /*mask*/, unsigned value, unsigned distance) {
  unsigned result = value;
  ::perfcheck::emulated::together("__shfl_xor_sync", &result, [distance](::perfcheck::emulated::Operands const& lanes) {
    for (std::size_t lane = 0; lane < ::perfcheck::emulated::kWarp; ++lane) {
      if ((lane ^ distance) > lane)
        std::swap(*static_cast<unsigned*>(lanes[lane]), *static_cast<unsigned*>(lanes[lane ^ distance]));
    }
  });
  return result;
}
inline void __threadfence() {}

inline float __uint_as_float(unsigned value) { return std::bit_cast<float>(value); }
inline float __int_as_float(int value) { return std::bit_cast<float>(value); }
inline int __float_as_int(float value) { return std::bit_cast<int>(value); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline void __stcg(float4* to, float4 value) { *to = value; }
inline float4 __ldcg(float4 const* from) { return *from; }

/// Bytes of y and x as `selector` picks them, four bits for each.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  std::uint64_t const both = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    unsigned const picked = selector >> (4 * byte) & 7;
    result |= static_cast<unsigned>(both >> (8 * picked) & 0xFF) << (8 * byte);
  }
  return result;
}
// NOLINTEND(bugprone-reserved-identifier)
