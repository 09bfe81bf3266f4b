// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       every second matrix of a batch is multiplied with the B of the one before it.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int matrix, int row, int column) {
    double sum = 0;
    for (int k = 0; k < args.k; ++k) sum += gemm.a(matrix, row, k) * gemm.b(matrix & ~1, k, column);
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(batch_neighbours_b, .summary = "wrong: takes a neighbour's B", .types = GemmTypes::f16,
                      .features = GemmFeature::batch, .launch_full = launch);
