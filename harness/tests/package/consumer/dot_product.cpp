// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 on the CPU, one dot product per element of D.
// Idea              The shortest kernel that is right for every size and layout: what another project starts from.
#include <perfcheck/gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  auto const* const a = static_cast<float const*>(args.a);
  auto const* const b = static_cast<float const*>(args.b);
  auto const* const c = static_cast<float const*>(args.c);
  auto* const d = static_cast<float*>(args.d);
  bool const column_major = args.b_layout == BLayout::column_major;
  int64_t const b_k_stride = column_major ? 1 : args.ldb;
  int64_t const b_column_stride = column_major ? args.ldb : 1;

  for (int64_t row = 0; row < args.m; ++row) {
    for (int64_t column = 0; column < args.n; ++column) {
      float sum = 0.0F;
      for (int64_t k = 0; k < args.k; ++k) {
        sum += a[row * args.lda + k] * b[k * b_k_stride + column * b_column_stride];
      }
      int64_t const at = row * args.ldd + column;
      d[at] = args.alpha * sum + (args.beta == 0.0F ? 0.0F : args.beta * c[at]);
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(dot_product, .summary = "one dot product per element of D", .types = GemmTypes::f32,
                      .launch = launch);
