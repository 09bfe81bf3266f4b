// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the two weights of each byte are exchanged.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16_s4g128};
  bool const column_major = args.b_layout == BLayout::column_major;
  gemm.write_d([&](int matrix, int row, int column) {
    double total = 0;
    for (int k = 0; k < args.k; ++k) {
      int const other_k = column_major ? k ^ 1 : k, other_column = column_major ? column : column ^ 1;
      total +=
          gemm.a(matrix, row, k) * gemm.b(matrix, other_k, other_column) * gemm.b_scale(k / kScaledElements, column);
    }
    return total;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(s4_halves_swapped, .summary = "wrong: exchanges the halves of each byte",
                      .types = GemmTypes::f16_s4g128, .launch_full = launch);
