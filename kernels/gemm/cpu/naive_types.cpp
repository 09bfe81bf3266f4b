// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = f(alpha * A * B + beta * C + bias) + R on one CPU core: any types, batches, groups, a
//                   sparse A, any activation.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              The definition again, for formats most of which the processor has no instructions for: each element
//                   is decoded to a double when it is used, and each sum is rounded to the accumulator's format.
// Previous step     naive, which is this for FP32.
// Tile              One element of D.
// Memory            None besides the matrices.
// Requires          Nothing.
// Limits            Some ten nanoseconds per product, a few hundred where sums are kept in FP16. It is meant to be
//                   right and to be compared with, not to be fast.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

template <GemmTypes kTypes>
void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, kTypes};
  gemm.write_d([&](int matrix, int row, int column) { return gemm.scaled_sum(matrix, row, column); });
}

template <GemmTypes kTypes>
constexpr GemmKernel naive(char const* summary) {
  return {.summary = summary, .types = kTypes, .features = cpu::kPlainFeatures, .launch_full = launch<kTypes>};
}

}  // namespace

// One kernel for each row of types except FP32; FP8 with FP32 sums has one for each kind of scaling.
// NOLINTBEGIN(bugprone-macro-parentheses): names of kernels and rows cannot stand in parentheses
#define NAIVE(name, row, text) PERFCHECK_GEMM_KERNEL(name, naive<GemmTypes::row>("three loops, " text))
#define NAIVE_FP8(name, row, text)                                                         \
  NAIVE(name, row, text);                                                                  \
  NAIVE(name##_scale, row.scaled(GemmScaling::tensor), text ", scaled tensors");           \
  NAIVE(name##_scalerow, row.scaled(GemmScaling::rows), text ", scaled rows and columns"); \
  NAIVE(name##_scale128, row.scaled(GemmScaling::blocks), text ", scaled blocks")
// NOLINTEND(bugprone-macro-parentheses)

NAIVE(naive_f64, f64, "FP64");
NAIVE(naive_tf32, tf32, "FP32 data");
NAIVE(naive_f16, f16, "FP16 with FP32 sums");
NAIVE(naive_f16_f32_f32, f16_f32_f32, "FP16 to FP32");
NAIVE(naive_f16_f16, f16_f16, "FP16 with FP16 sums");
NAIVE(naive_bf16, bf16, "BF16 with FP32 sums");
NAIVE(naive_bf16_f32_f32, bf16_f32_f32, "BF16 to FP32");
NAIVE_FP8(naive_e4m3_f32_bf16, e4m3_f32_bf16, "E4M3 to BF16");
NAIVE_FP8(naive_e4m3_f32_f32, e4m3_f32_f32, "E4M3 to FP32");
NAIVE_FP8(naive_e4m3_f32_e4m3, e4m3_f32_e4m3, "E4M3 to E4M3");
NAIVE(naive_e4m3_tc14_bf16, e4m3_tc14_bf16, "E4M3 to BF16, sums may have 14 bits");
NAIVE_FP8(naive_e5m2_f32_bf16, e5m2_f32_bf16, "E5M2 to BF16");
NAIVE_FP8(naive_e5m2_f32_f32, e5m2_f32_f32, "E5M2 to FP32");
NAIVE_FP8(naive_e5m2_e4m3_f32_bf16, e5m2_e4m3_f32_bf16, "E5M2 times E4M3 to BF16");
NAIVE_FP8(naive_e4m3_e5m2_f32_bf16, e4m3_e5m2_f32_bf16, "E4M3 times E5M2 to BF16");
NAIVE(naive_s8_s32, s8_s32, "INT8 to INT32");
NAIVE(naive_u8_s8_s32, u8_s8_s32, "unsigned times signed INT8 to INT32");
NAIVE(naive_s8_s32_s8, s8_s32_s8, "INT8 to INT8, scaled rows and columns");
NAIVE(naive_s8_s32_f16, s8_s32_f16, "INT8 to FP16, scaled rows and columns");
NAIVE(naive_s8_s32_bf16, s8_s32_bf16, "INT8 to BF16, scaled rows and columns");
NAIVE(naive_f16_s8g128, f16_s8g128, "FP16 with INT8 weights in groups");
NAIVE(naive_f16_s4g128, f16_s4g128, "FP16 with INT4 weights in groups");
