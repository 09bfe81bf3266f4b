// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       results are rounded to E4M3 toward zero instead of to nearest.
// Caught by   exact data: sums of integers that E4M3 cannot represent.
#include <perfcheck/plain_gemm.cuh>

namespace {

using namespace perfcheck;

struct WrongSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    float const sum = gemm.scaled_sum(matrix, row, column);
    // Cuts off what E4M3 cannot hold: all but three bits of the fraction of normal numbers.
    return __uint_as_float(__float_as_uint(sum) & 0xfff00000U);
  }
};

void launch(GemmFullArgs const& args) { plain::launch<GemmTypes::e4m3_f32_e4m3>(args, WrongSum{}); }

}  // namespace

PERFCHECK_GEMM_KERNEL(e4m3_toward_zero, .summary = "wrong: rounds results toward zero",
                      .types = GemmTypes::e4m3_f32_e4m3, .launch_full = launch);
