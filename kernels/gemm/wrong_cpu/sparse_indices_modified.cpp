// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       results are right, but one index of A is changed.
// Caught by   comparing the indices after the launch with those before.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int matrix, int row, int column) { return gemm.scaled_sum(matrix, row, column); });
  const_cast<std::uint8_t*>(args.a_indices)[args.m * (args.k / 8) - 1] ^= 1;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(sparse_indices_modified, .summary = "wrong: writes to the indices of A", .types = GemmTypes::f16,
                      .features = GemmFeature::sparse24, .launch_full = launch);
