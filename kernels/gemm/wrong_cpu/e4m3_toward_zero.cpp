// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       results are rounded to E4M3 toward zero instead of to nearest.
// Caught by   real data. Small integers are E4M3 numbers.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::e4m3_f32_e4m3};
  gemm.write_d([&](int matrix, int row, int column) {
    double const sum = static_cast<double>(args.alpha) * gemm.scaled_sum(matrix, row, column);
    double const nearest = cpu::rounded(Element::e4m3, sum);
    if (std::fabs(nearest) <= std::fabs(sum)) return sum / static_cast<double>(args.alpha);
    // Three quarters of a step nearer to zero, so that rounding to nearest yields the next number below.
    double const step = std::ldexp(1.0, std::max(std::ilogb(nearest), -6) - 3);
    return (std::fabs(nearest) - 0.75 * step) * (sum < 0 ? -1 : 1) / static_cast<double>(args.alpha);
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(e4m3_toward_zero, .summary = "wrong: rounds results toward zero",
                      .types = GemmTypes::e4m3_f32_e4m3, .launch_full = launch);
