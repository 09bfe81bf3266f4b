// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = f(alpha * A * B + beta * C + bias) + R for types from INT4 weights to FP64, in batches and
//                   groups, with a sparse A, with scale factors of quantised types and any activation.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              The definition: one thread per element of D, which decodes elements as it reads them and adds
//                   products in FP32, FP64 or INT32. Scale factors that change along k are applied to each block's sum.
// Previous step     naive, which is this for FP32.
// Tile and threads  16 x 16 elements, 256 threads.
// Shared memory     None.
// Intensity         Half a multiply-add per element that is read.
// Expected          A few percent of a library's speed. It exists so that a library's results can be compared with it.
// Requires          Nothing.
// Limits            Every element of A and B is read from cache n and m times.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

template <GemmTypes kTypes>
void launch(GemmFullArgs const& args) {
  plain::launch<kTypes>(args, plain::RightSum{});
}

template <GemmTypes kTypes>
constexpr GemmKernel naive(char const* summary) {
  return {.summary = summary,
          .types = kTypes,
          .features = plain::kFeatures,
          .accepts = plain::accepts,
          .launch_full = launch<kTypes>};
}

}  // namespace

#define NAIVE(name, row, text) PERFCHECK_GEMM_KERNEL(name, naive<GemmTypes::row>("one thread per output, " text))

NAIVE(naive_f64, f64, "FP64");
NAIVE(naive_tf32, tf32, "FP32 data");
NAIVE(naive_f16, f16, "FP16 with FP32 sums");
NAIVE(naive_f16_f32_f32, f16_f32_f32, "FP16 to FP32");
NAIVE(naive_f16_f16, f16_f16, "FP16 with FP16 sums");
NAIVE(naive_bf16, bf16, "BF16 with FP32 sums");
NAIVE(naive_bf16_f32_f32, bf16_f32_f32, "BF16 to FP32");
NAIVE(naive_e4m3, e4m3_f32_bf16, "E4M3 to BF16");
NAIVE(naive_e4m3_tc14, e4m3_tc14_bf16, "E4M3 to BF16, sums may have 14 bits");
NAIVE(naive_e4m3_scale, e4m3_f32_bf16.scaled(GemmScaling::tensor), "E4M3 to BF16, scaled tensors");
NAIVE(naive_e4m3_scalerow, e4m3_f32_bf16.scaled(GemmScaling::rows), "E4M3 to BF16, scaled rows and columns");
NAIVE(naive_e4m3_scale128, e4m3_f32_bf16.scaled(GemmScaling::blocks), "E4M3 to BF16, scaled blocks");
NAIVE(naive_e4m3_e4m3, e4m3_f32_e4m3, "E4M3 to E4M3");
NAIVE(naive_e5m2_f32, e5m2_f32_f32, "E5M2 to FP32");
NAIVE(naive_s8, s8_s32, "INT8 to INT32");
NAIVE(naive_s8_s8, s8_s32_s8, "INT8 to INT8, scaled rows and columns");
NAIVE(naive_s8_f16, s8_s32_f16, "INT8 to FP16, scaled rows and columns");
NAIVE(naive_f16_s8, f16_s8g128, "FP16 with INT8 weights in groups");
NAIVE(naive_f16_s4, f16_s4g128, "FP16 with INT4 weights in groups");
