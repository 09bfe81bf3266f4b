// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes   Softmax of rows in FP32 on one CPU core.
// Idea       Subtract the row's maximum, so that no exponential overflows. The maximum comes from a separate pass, or
//            is corrected as larger elements turn up.
// Limits     The C library's exponential, which handles one element at a time, takes nearly all the time.
#include "operation/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

/// First pass: maximum. Second: exponentials and their sum. Third: division.
void three_passes(float const* x, float* y, std::int64_t count) {
  float most = -std::numeric_limits<float>::infinity();
  for (std::int64_t i = 0; i < count; ++i) most = std::max(most, x[i]);
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += y[i] = std::exp(x[i] - most);
  for (std::int64_t i = 0; i < count; ++i) y[i] /= sum;
}

/// Reads x twice instead of three times: the sum so far is scaled down whenever a new maximum is found (Milakov and
/// Gimelshein, "Online normalizer calculation for softmax", 2018).
void online(float const* x, float* y, std::int64_t count) {
  float most = x[0], sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (x[i] > most) {
      sum *= std::exp(most - x[i]);
      most = x[i];
    }
    sum += std::exp(x[i] - most);
  }
  for (std::int64_t i = 0; i < count; ++i) y[i] = std::exp(x[i] - most) / sum;
}

template <void (*softmax_of_row)(float const*, float*, std::int64_t)>
void launch(softmax::Args const& args) {
  for (std::int64_t row = 0; row < args.rows; ++row) {
    softmax_of_row(static_cast<float const*>(args.x) + row * args.x_stride,
                   static_cast<float*>(args.y) + row * args.y_stride, args.columns);
  }
}

}  // namespace

SOFTMAX_KERNEL(three_passes, .summary = "maximum, exponentials, division", .reference = true,
               .launch = launch<three_passes>);
SOFTMAX_KERNEL(online, .summary = "maximum and sum in one pass", .launch = launch<online>);
