// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       results are right, but one of the pointers to B's matrices is left advanced, as if the kernel had walked
//             with it.
// Caught by   comparing the arrays of pointers after the launch with those before.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int matrix, int row, int column) { return gemm.scaled_sum(matrix, row, column); });
  auto* const pointers = const_cast<void const**>(args.b_pointers);
  pointers[2] = static_cast<std::byte const*>(pointers[2]) + 2;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(pointers_modified, .summary = "wrong: writes to an array of pointers", .types = GemmTypes::f16,
                      .features = GemmFeature::pointers, .launch_full = launch);
