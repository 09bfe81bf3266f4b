// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the residual is added before the activation instead of after it.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::bf16};
  for (int row = 0; row < args.m; ++row) {
    for (int column = 0; column < args.n; ++column) {
      GemmFullArgs without = args;
      without.residual = nullptr;
      double const residual =
          args.residual == nullptr ? 0 : cpu::load(Element::bf16, args.residual, gemm.d_index(0, row, column));
      cpu::PlainGemm const plain{without, GemmTypes::bf16};
      double const sum = gemm.scaled_sum(0, row, column) + residual / static_cast<double>(args.alpha);
      gemm.store_d(0, row, column, plain.finished(0, row, column, sum));
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(residual_in_front, .summary = "wrong: adds the residual in front of the activation",
                      .types = GemmTypes::bf16, .features = GemmFeature::residual | Activation::silu,
                      .launch_full = launch);
