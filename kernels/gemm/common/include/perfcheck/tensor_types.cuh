// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The types that kernels for tensor cores multiply.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <perfcheck/gemm.h>

#include <cstdint>

namespace perfcheck::mma {

/// C++ types of a row: elements of A and B, sums, elements of D. Each row below adds its GemmTypes.
template <class InType, class SumType, class OutType>
struct Types {
  using In = InType;
  using Sum = SumType;
  using Out = OutType;
};

struct F16 : Types<__half, float, __half> {
  static constexpr GemmTypes kRow = GemmTypes::f16;
};
struct Bf16 : Types<__nv_bfloat16, float, __nv_bfloat16> {
  static constexpr GemmTypes kRow = GemmTypes::bf16;
};
struct F16ToF32 : Types<__half, float, float> {
  static constexpr GemmTypes kRow = GemmTypes::f16_f32_f32;
};
struct Bf16ToF32 : Types<__nv_bfloat16, float, float> {
  static constexpr GemmTypes kRow = GemmTypes::bf16_f32_f32;
};
struct Tf32 : Types<float, float, float> {
  static constexpr GemmTypes kRow = GemmTypes::tf32;
};
struct S8 : Types<int8_t, int32_t, int32_t> {
  static constexpr GemmTypes kRow = GemmTypes::s8_s32;
};
struct E4m3 : Types<__nv_fp8_e4m3, float, __nv_bfloat16> {
  static constexpr GemmTypes kRow = GemmTypes::e4m3_f32_bf16;
};
/// With sums that stay in the tensor cores.
struct E4m3Tc14 : Types<__nv_fp8_e4m3, float, __nv_bfloat16> {
  static constexpr GemmTypes kRow = GemmTypes::e4m3_tc14_bf16;
};

/// Whether all rows of A and B begin at multiples of 16 bytes, as the copy engine and copies of 16 bytes want.
template <class Row>
bool has_aligned_rows(int64_t lda, int64_t ldb) {
  constexpr int kChunk = 16 / int{sizeof(typename Row::In)};
  return lda % kChunk == 0 && ldb % kChunk == 0;
}

}  // namespace perfcheck::mma
