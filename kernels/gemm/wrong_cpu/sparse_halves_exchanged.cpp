// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the indices of the first four and the last four columns of each byte are exchanged.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int /*matrix*/, int row, int column) {
    double sum = 0;
    for (int k = 0; k < args.k; ++k) sum += gemm.a_kept(row, k, gemm.kept(row, k ^ 4)) * gemm.b(0, k, column);
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(sparse_halves_exchanged, .summary = "wrong: exchanges the halves of bytes of indices",
                      .types = GemmTypes::f16, .features = GemmFeature::sparse24, .launch_full = launch);
