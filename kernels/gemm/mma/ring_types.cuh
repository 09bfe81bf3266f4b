// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The types that the ring of kernels/gemm/mma multiplies, each with its instruction. To the ring, a step along k is 32
// bytes of a row of A and of a column of B, whatever the elements: 16 of 16 bits, 8 of TF32, 32 of 8 bits. PTX lays out
// the fragments of A and B alike for all of them ("Matrix Fragments for mma.m16n8k16" and its neighbours), in registers
// of four bytes.
#pragma once

#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tensor_types.cuh>

#include <cstdint>

#include "tf32_round.cuh"

namespace perfcheck::mma {

/// sums += a * b for 16 x 8 sums and one step along k.
template <class In, class Sum>
__device__ __forceinline__ void multiply_add(Sum (&sums)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  if constexpr (sizeof(In) == 2) {
    ptx::mma_m16n8k16<In>(sums, a, b0, b1);
  } else if constexpr (sizeof(In) == 4) {
    ptx::mma_m16n8k8_tf32(sums, a, b0, b1);
  } else {
    ptx::mma_m16n8k32_s8(sums, a, b0, b1);
  }
}

}  // namespace perfcheck::mma
