// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       each group of weights ends one step of k early.
// Caught by   exact data with more than one group.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16_s4g128};
  gemm.write_d([&](int matrix, int row, int column) {
    double total = 0;
    for (int k = 0; k < args.k; ++k) {
      int const group = std::min(k + 1, args.k - 1) / kScaledElements;
      total += gemm.a(matrix, row, k) * gemm.b(matrix, k, column) * gemm.b_scale(group, column);
    }
    return total;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(group_ends_early, .summary = "wrong: groups end one step early", .types = GemmTypes::f16_s4g128,
                      .launch_full = launch);
