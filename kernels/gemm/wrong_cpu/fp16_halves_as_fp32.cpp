// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       each input is split into two FP16 halves, without scaling: 22 bits of it while it is near 1.
// Caught by   rows and columns far above and below 1.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace perfcheck;

/// x rounded to FP16: 11 bits, fewer below 2^-14, infinity from 65520 on.
float half(float x) {
  if (!std::isfinite(x) || x == 0.0F) return x;
  if (std::fabs(x) >= 65520.0F) return std::copysign(std::numeric_limits<float>::infinity(), x);
  float const grid = std::ldexp(1.0F, std::max(std::ilogb(x), -14) - 10);
  return std::rint(x / grid) * grid;
}

float both_halves(float x) {
  float const high = half(x);
  return std::isfinite(high) ? high + half(x - high) : high;
}

void launch(GemmArgs const& args) {
  write_d(args, [&](int row, int column) {
    float sum = 0.0F;
    for (int k = 0; k < args.k; ++k) {
      sum += both_halves(a_element(args, row, k)) * both_halves(b_element(args, k, column));
    }
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(fp16_halves_as_fp32, .summary = "wrong: FP32 made of two FP16 halves", .types = GemmTypes::f32,
                      .launch = launch);
