// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 on one CPU core.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              The definition: for each element of D a row of A times a column of B.
// Previous step     None: the first step of the ladder, and the baseline for "speed-up over naive".
// Tile              One element of D.
// Memory            None besides the matrices.
// Requires          Nothing.
// Limits            Each element of D reads a column of B again; when B is row-major, every read touches another cache
//                   line.
#include <perfcheck/gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  bool const column_major = args.b_layout == BLayout::column_major;
  int64_t const b_k_stride = column_major ? 1 : args.ldb;
  int64_t const b_column_stride = column_major ? args.ldb : 1;
  auto const* const c = static_cast<float const*>(args.c);
  auto* const d = static_cast<float*>(args.d);

  for (int row = 0; row < args.m; ++row) {
    for (int column = 0; column < args.n; ++column) {
      float const* a = static_cast<float const*>(args.a) + row * args.lda;
      float const* b = static_cast<float const*>(args.b) + column * b_column_stride;
      float sum = 0.0F;
      for (int k = 0; k < args.k; ++k) {
        sum += a[k] * b[k * b_k_stride];
      }
      int64_t const at = row * args.ldd + column;
      d[at] = args.beta == 0.0F ? args.alpha * sum : args.alpha * sum + args.beta * c[at];
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(naive, .summary = "three loops, one element of D at a time", .types = GemmTypes::f32,
                      .launch = launch);
