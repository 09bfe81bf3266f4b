// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What tcgen05.mma of compute capability 10.0 is told about its operands and itself.
#pragma once

#include <perfcheck/tile_descriptor.cuh>

#include <cstdint>

namespace perfcheck::ptx {

/// Where a tile whose lines of 128 bytes are contiguous along k lies in shared memory, with the copy engine's swizzle
/// of 128 bytes; `near` as for tile_descriptor(). PTX, "TensorCore 5th Generation Family Instructions: Shared memory
/// descriptor" (9.7.16.4.1 in PTX ISA 9.1). The addresses and distances are those of wgmma's descriptor. Bits 46 to 48
/// are the constant 1 here. The swizzle is a number in bits 61 to 63, of which 2 means 128 bytes: the bit that wgmma's
/// 1 in bits 62 and 63 is, too. The distance along k is not used for swizzled lines ("Leading dimension byte offset").
__device__ __forceinline__ uint64_t tensor_tile_descriptor(uint32_t shared, int near) {
  return tile_descriptor(shared, 0, near) | uint64_t{1} << 46;
}

/// tcgen05.mma of kind f16 with FP16 operands that are contiguous along k, and FP32 sums, `m` x `n` of them. PTX,
/// "Instruction descriptor" (9.7.16.4.2 in PTX ISA 9.1), table for .kind::f16: bits 4 and 5 are the type of D (1:
/// FP32), 7 to 9 and 10 to 12 those of A and B (0: FP16), 15 and 16 say that A or B is transposed (0: contiguous along
/// k), 17 to 22 are n / 8, 24 to 28 m / 16. All others are 0: dense, nothing negated.
__host__ __device__ constexpr uint32_t f16_instruction(int m, int n) {
  constexpr uint32_t kSumsInF32 = 1;
  return kSumsInF32 << 4 | static_cast<uint32_t>(n / 8) << 17 | static_cast<uint32_t>(m / 16) << 24;
}

/// The bytes of k that one tcgen05.mma of 16-bit operands multiplies: 16 elements.
inline constexpr int kTensorStepBytes = 32;

}  // namespace perfcheck::ptx
