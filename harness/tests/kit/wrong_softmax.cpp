// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Softmax kernels that are wrong on purpose.
#include "operation/softmax.h"

#include <algorithm>
#include <cmath>

namespace {

using softmax::Args;

float largest(float const* x, std::int64_t count) { return *std::max_element(x, x + count); }

void row(float const* x, float* y, std::int64_t count, float most) {
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += y[i] = std::exp(x[i] - most);
  for (std::int64_t i = 0; i < count; ++i) y[i] /= sum;
}

template <class Row>
void each_row(Args const& args, Row const& of_row) {
  for (std::int64_t r = 0; r < args.rows; ++r) {
    of_row(static_cast<float const*>(args.x) + r * args.x_stride, static_cast<float*>(args.y) + r * args.y_stride);
  }
}

void right(Args const& args) {
  each_row(args, [&](float const* x, float* y) { row(x, y, args.columns, largest(x, args.columns)); });
}

void overflows(Args const& args) {
  each_row(args, [&](float const* x, float* y) { row(x, y, args.columns, 0); });
}

void forgets_the_tail(Args const& args) {
  std::int64_t const whole = args.columns / 4 * 4;
  each_row(args, [&](float const* x, float* y) { row(x, y, whole, largest(x, whole)); });
}

/// Assumes that the rows of x, or those of y, are contiguous.
template <std::int64_t Args::* stride>
void ignores(Args const& args) {
  Args packed = args;
  packed.*stride = args.columns;
  right(packed);
}

void writes_past_the_end(Args const& args) {
  right(args);
  static_cast<float*>(args.y)[(args.rows - 1) * args.y_stride + args.columns] = 0;
}

void changes_its_input(Args const& args) {
  right(args);
  const_cast<float*>(static_cast<float const*>(args.x))[3] = 1;
}

void hides_nan(Args const& args) {
  right(args);
  each_row(args, [&](float const*, float* y) {
    for (std::int64_t i = 0; i < args.columns; ++i) y[i] = std::isnan(y[i]) ? 0 : y[i];
  });
}

/// Rounds exponentials to eleven bits, like FP16.
void less_precision(Args const& args) {
  each_row(args, [&](float const* x, float* y) {
    float const most = largest(x, args.columns);
    float sum = 0;
    for (std::int64_t i = 0; i < args.columns; ++i) {
      int exponent = 0;
      float const mantissa = std::frexp(std::exp(x[i] - most), &exponent);
      sum += y[i] = std::ldexp(std::rint(mantissa * 2048) / 2048, exponent);
    }
    for (std::int64_t i = 0; i < args.columns; ++i) y[i] /= sum;
  });
}

void never_the_same(Args const& args) {
  right(args);
  static int launch = 0;
  auto* const y = static_cast<float*>(args.y);
  y[0] = std::nextafter(y[0], ++launch % 2 == 0 ? 0.0F : 1.0F);
}

/// Writes zeros where all elements are equal, like a norm that divides by the variance.
void zero_where_all_are_equal(Args const& args) {
  right(args);
  each_row(args, [&](float const* x, float* y) {
    if (args.columns > 1 && std::all_of(x, x + args.columns, [&](float value) { return value == x[0]; })) y[0] = 0;
  });
}

void tires(Args const& args) {
  static int launches = 0;
  if (++launches < 40) right(args);
}

}  // namespace

SOFTMAX_KERNEL(overflows, .launch = overflows);
SOFTMAX_KERNEL(forgets_the_tail, .launch = forgets_the_tail);
SOFTMAX_KERNEL(ignores_x_stride, .launch = ignores<&Args::x_stride>);
SOFTMAX_KERNEL(ignores_y_stride, .launch = ignores<&Args::y_stride>);
SOFTMAX_KERNEL(writes_past_the_end, .launch = writes_past_the_end);
SOFTMAX_KERNEL(changes_its_input, .launch = changes_its_input);
SOFTMAX_KERNEL(hides_nan, .launch = hides_nan);
SOFTMAX_KERNEL(less_precision, .launch = less_precision);
SOFTMAX_KERNEL(never_the_same, .launch = never_the_same);
SOFTMAX_KERNEL(zero_where_all_are_equal, .launch = zero_where_all_are_equal);
SOFTMAX_KERNEL(tires, .launch = tires);
