// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the last row of each group is multiplied with the B of the next group.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int group, int row, int column) {
    bool const next = row == gemm.end_row(group) - 1 && group + 1 < args.groups;
    double sum = 0;
    for (int k = 0; k < args.k; ++k) sum += gemm.a(0, row, k) * gemm.b(next ? group + 1 : group, k, column);
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(group_boundary_off_by_one, .summary = "wrong: groups end a row too early",
                      .types = GemmTypes::f16, .features = GemmFeature::groups | Activation::gelu,
                      .launch_full = launch);
