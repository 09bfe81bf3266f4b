// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       inputs are rounded to BF16 although the types promise FP32.
// Caught by   real data; small integers are the same in BF16.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <cmath>
#include <cstring>

namespace {

using namespace perfcheck;

/// x rounded to BF16, ties to even.
float rounded(float x) {
  if (std::isnan(x)) return x;
  uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x7fffU + (bits >> 16U & 1U)) & 0xffff0000U;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

void launch(GemmArgs const& args) {
  write_d(args, [&](int row, int column) {
    float sum = 0.0F;
    for (int k = 0; k < args.k; ++k) {
      sum += rounded(a_element(args, row, k)) * rounded(b_element(args, k, column));
    }
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(bf16_as_fp32, .summary = "wrong: rounds inputs to BF16", .types = GemmTypes::f32,
                      .launch = launch);
