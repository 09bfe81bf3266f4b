// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes   Row sums in FP32 on one CPU core.
// Idea       Three ways to deal with the latency of an addition: wait for it, overlap it among four sums, use it for
//            accuracy.
// Limits     None of them keeps the adders of a core busy. So busy neighbours, which take adders and cache but do not
//            lengthen latencies, hardly disturb their timing; it does not make them fast.
#include "operation/row_sum.h"

#include <cmath>

namespace {

/// Each addition waits for the one before.
float one_chain(float const* x, std::int64_t count) {
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += x[i];
  return sum;
}

/// Four sums that do not wait for each other.
float four_chains(float const* x, std::int64_t count) {
  float sums[4] = {0, 0, 0, 0};
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int chain = 0; chain < 4; ++chain) sums[chain] += x[i + chain];
  }
#ifndef ROW_SUM_WRONG  // see README.md: a mistake that shows only where the columns are no multiple of four
  for (; i < count; ++i) sums[0] += x[i];
#endif
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Kahan's sum: carries along what each addition lost, so that the error does not grow with the number of columns.
float compensated(float const* x, std::int64_t count) {
  float sum = 0, lost = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    float const term = x[i] - lost;
    float const next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  // For an infinite sum, the compensation is infinity minus infinity, which is NaN; the plain sum is right.
  return std::isnan(sum) ? one_chain(x, count) : sum;
}

template <float (*sum)(float const*, std::int64_t), int extra_percent = 0>
void launch(row_sum::Args const& args) {
  for (std::int64_t row = 0; row < args.rows; ++row) {
    float const* const x = args.x + row * args.row_stride;
    args.sums[row * args.sums_stride] = sum(x, args.columns);
    if constexpr (extra_percent > 0) {
      // Sums the first columns once more; the asm statement keeps the compiler from removing the unused result.
      float const again = sum(x, args.columns * extra_percent / 100);
      asm volatile("" : : "m"(again));
    }
  }
}

#ifndef ROW_SUM_EXTRA_PERCENT  // see README.md: extra work of `compensated`
#define ROW_SUM_EXTRA_PERCENT 0
#endif

}  // namespace

ROW_SUM_KERNEL(one_chain, .summary = "each addition waits for the one before", .reference = true,
               .launch = launch<one_chain>);
ROW_SUM_KERNEL(four_chains, .summary = "four sums per row", .launch = launch<four_chains>);
ROW_SUM_KERNEL(compensated, .summary = "Kahan's sum", .launch = launch<compensated, ROW_SUM_EXTRA_PERCENT>);
