// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the bias is added by row instead of by column.
// Caught by   exact data.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f16};
  gemm.write_d([&](int matrix, int row, int column) {
    auto const bias_at = [&](int at) { return args.bias == nullptr ? 0 : cpu::load(Element::f16, args.bias, at); };
    double const off = bias_at(row % args.n) - bias_at(column);
    return gemm.scaled_sum(matrix, row, column) + off / static_cast<double>(args.alpha);
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(bias_by_row, .summary = "wrong: adds the bias by row", .types = GemmTypes::f16,
                      .features = GemmFeature::bias | Activation::gelu, .launch_full = launch);
