// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       the bias is added by row instead of by column.
// Caught by   exact data.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    float const sum = gemm.scaled_sum(matrix, row, column);
    if (gemm.args.bias == nullptr) return sum;
    auto const bias_at = [&](int at) { return plain::load<Element::f16, float>(gemm.args.bias, at); };
    return sum + (bias_at(row % gemm.args.n) - bias_at(column)) / gemm.args.alpha;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(bias_by_row, .summary = "wrong: adds the bias by row", .types = GemmTypes::f16,
                      .features = GemmFeature::bias | Activation::gelu, .launch_full = launch);
