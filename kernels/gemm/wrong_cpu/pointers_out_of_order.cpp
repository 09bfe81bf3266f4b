// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the array of pointers to B's matrices is read from the end.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int matrix, int row, int column) {
    double sum = 0;
    for (int k = 0; k < args.k; ++k) sum += gemm.a(matrix, row, k) * gemm.b(args.batch - 1 - matrix, k, column);
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(pointers_out_of_order, .summary = "wrong: takes B's pointers from the end",
                      .types = GemmTypes::f16, .features = GemmFeature::pointers, .launch_full = launch);
