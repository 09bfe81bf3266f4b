// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the activation is left out.
// Caught by   exact data: negative results stay negative.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  GemmFullArgs linear = args;
  linear.activation = Activation::none;
  cpu::PlainGemm const plain{linear, gemm.types};
  plain.write_d([&](int matrix, int row, int column) { return plain.scaled_sum(matrix, row, column); });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(gelu_left_out, .summary = "wrong: leaves GELU out", .types = GemmTypes::f16,
                      .features = GemmFeature::bias | Activation::gelu, .launch_full = launch);
