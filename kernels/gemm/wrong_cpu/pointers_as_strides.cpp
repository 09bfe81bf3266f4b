// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       only the first pointer to A's matrices is read, and the other matrices are taken to follow it without
//             gaps.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int matrix, int row, int column) {
    double sum = 0;
    for (int k = 0; k < args.k; ++k) {
      sum += cpu::load(Element::f16, args.a_pointers[0], (std::int64_t{matrix} * args.m + row) * args.lda + k) *
             gemm.b(matrix, k, column);
    }
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(pointers_as_strides, .summary = "wrong: takes A's matrices to lie side by side",
                      .types = GemmTypes::f16, .features = GemmFeature::pointers, .launch_full = launch);
