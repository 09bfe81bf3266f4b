// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       sums of INT8 products saturate at 16 bits, as those of some instructions do.
// Caught by   exact data: any integers.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    int32_t sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) {
      sum = min(max(sum + gemm.a(matrix, row, k) * gemm.b(matrix, k, column), -32768), 32767);
    }
    return sum;
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::s8_s32>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(s8_sum_saturates, .summary = "wrong: sums saturate at 16 bits", .types = GemmTypes::s8_s32,
                      .launch_full = launch);
