// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       sums of INT8 products are kept in FP32, which rounds them above 2^24.
// Caught by   large integers of one sign. Other sums stay below 2^24, since their terms cancel.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    float sum = 0;
    for (int k = 0; k < gemm.args.k; ++k) {
      sum += static_cast<float>(gemm.a(matrix, row, k) * gemm.b(matrix, k, column));
    }
    return static_cast<int32_t>(sum);
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::s8_s32>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(s8_sum_in_single, .summary = "wrong: keeps sums in FP32", .types = GemmTypes::s8_s32,
                      .launch_full = launch);
