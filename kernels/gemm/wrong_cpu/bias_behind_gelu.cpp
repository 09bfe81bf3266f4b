// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the bias is added after the activation instead of before it.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  for (int row = 0; row < args.m; ++row) {
    for (int column = 0; column < args.n; ++column) {
      GemmFullArgs without = args;
      without.bias = nullptr;
      cpu::PlainGemm const plain{without, GemmTypes::f16};
      double const value = plain.finished(0, row, column, plain.scaled_sum(0, row, column));
      double const bias = args.bias == nullptr ? 0 : cpu::load(Element::f16, args.bias, column);
      gemm.store_d(0, row, column, value + bias);
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(bias_behind_gelu, .summary = "wrong: adds the bias behind GELU", .types = GemmTypes::f16,
                      .features = GemmFeature::bias | Activation::gelu, .launch_full = launch);
