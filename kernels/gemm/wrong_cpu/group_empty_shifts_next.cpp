// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       groups without rows are not counted, so that the groups behind them use an earlier B.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int group, int row, int column) {
    int counted = 0;
    for (int before = 0; before < group; ++before) counted += gemm.first_row(before) < gemm.end_row(before) ? 1 : 0;
    double sum = 0;
    for (int k = 0; k < args.k; ++k) sum += gemm.a(0, row, k) * gemm.b(counted, k, column);
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(group_empty_shifts_next, .summary = "wrong: an empty group shifts those behind it",
                      .types = GemmTypes::f16, .features = GemmFeature::groups, .launch_full = launch);
