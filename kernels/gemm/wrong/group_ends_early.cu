// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       each group of weights ends one step of k early.
// Caught by   exact data with more than one group.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    float total = 0;
    for (int k = 0; k < gemm.args.k; ++k) {
      int const group = min(k + 1, gemm.args.k - 1) / kScaledElements;
      total += gemm.a(matrix, row, k) * gemm.b(matrix, k, column) * gemm.b_scale(group, column);
    }
    return total;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::f16_s4g128>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(group_ends_early, .summary = "wrong: groups end one step early", .types = GemmTypes::f16_s4g128,
                      .launch_full = launch);
