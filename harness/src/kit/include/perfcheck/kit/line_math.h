// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes an operation's reference line by line, on the device that holds the data: with plain loops on the host, with
// a warp per line on a CUDA device (line_math_cuda.cuh).
#pragma once

#include "perfcheck/kit/proof.h"

#include "perfcheck/verify/secret_line.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace perfcheck::kit {

/// The value that an element of the output must have, and the scale of its error: the sum of the absolute values of its
/// terms, or whatever else bounds its rounding errors (verify::Bound::per_scale).
struct LineResult {
  double value = 0, scale = 0;
};

/// Error bound for adding up `count` numbers in any order, as a share of the sum of their absolute values, if each
/// addition rounds to `precision` bits. It always holds: it is the sum of all rounding errors.
PERFCHECK_HOST_DEVICE inline double error_of_any_sum(std::int64_t count, int precision) {
  return std::ldexp(static_cast<double>(count), -precision);
}
/// The same for elements that differ. The rounding errors of a correct kernel are then practically random, so that the
/// total grows with the square root of `count` (Higham and Mary, "A new approach to probabilistic rounding error
/// analysis", 2019). Twice the root is six standard deviations for terms of one sign, whose partial sums grow steadily.
PERFCHECK_HOST_DEVICE inline double error_of_sum(std::int64_t count, int precision) {
  double const any = error_of_any_sum(count, precision);
  double const likely = std::ldexp(2 * std::sqrt(static_cast<double>(count)) + 4, -precision);
  return any < likely ? any : likely;
}

/// The reference of one problem on one device.
class LineMath {
 public:
  virtual ~LineMath() = default;
  /// Computes value and scale of every element of the output, row by row, from inputs in memory. The arrays are device
  /// memory.
  virtual void compute(Inputs const& inputs, double* values, float* scales) = 0;
  /// Enqueues: judges every element of the outputs, regenerating their inputs from the secret.
  virtual void judge(Outputs const& outputs, verify::Bound const& bound) = 0;
  /// Waits for the last judge() and returns its result.
  virtual ProofResult collect() = 0;
};

namespace detail {

/// The larger of two numbers; NaN if either is NaN.
PERFCHECK_HOST_DEVICE inline double larger(double x, double y) { return x > y || x != x ? x : y; }

/// Inputs as they lie in memory.
class StoredSource {
 public:
  explicit StoredSource(Inputs const& inputs) : inputs_(inputs) {}
  double at(int input, std::int64_t row, std::int64_t column) {
    verify::MatrixView const& matrix = inputs_[input];
    return verify::decode(matrix.element, verify::load_bits(matrix.element, matrix.data, matrix.index(row, column)));
  }
  std::int64_t rows(int input) const { return inputs_[input].rows; }

 private:
  Inputs const& inputs_;
};

/// Inputs of one set as renew() writes them, not read but regenerated. Caches one row of each input, because a
/// reference passes over a line several times.
class SecretSource {
 public:
  SecretSource(std::span<verify::SecretMatrices const> inputs, std::uint64_t secret, int set) {
    for (verify::SecretMatrices const& matrices : inputs) {
      Input& input = inputs_[static_cast<std::size_t>(matrices.operand)];
      input.rows = matrices.first.rows;
      input.format = matrices.format();
      input.key = verify::secret_key(secret, set, matrices.operand);
      input.line.resize(static_cast<std::size_t>(matrices.first.columns));
    }
  }

  double at(int number, std::int64_t row, std::int64_t column) {
    Input& input = inputs_[static_cast<std::size_t>(number)];
    if (input.row != row) {
      verify::secret_elements(input.format, input.key, static_cast<std::uint32_t>(row), true, input.line);
      input.row = row;
    }
    return input.line[static_cast<std::size_t>(column)];
  }
  std::int64_t rows(int number) const { return inputs_[static_cast<std::size_t>(number)].rows; }

 private:
  struct Input {
    std::int64_t rows = 0, row = -1;
    verify::SecretFormat format;
    verify::SecretKey key;
    std::vector<double> line;
  };
  std::array<Input, kMostInputs> inputs_;
};

// A reference is host and device code, so it may only call functions that are both. Those below are marked as both, but
// are only ever called on the host; the pragma silences nvcc's check.
#if defined(__CUDACC__)
#define PERFCHECK_HOST_ONLY _Pragma("nv_exec_check_disable")
#else
#define PERFCHECK_HOST_ONLY
#endif

/// The `Line` of a reference (see lines.h) on the host.
template <class Source, class Sink>
class HostLine {
 public:
  HostLine(Source& source, Sink& sink, std::int64_t row, std::int64_t columns)
      : source_(source), sink_(sink), row_(row), columns_(columns) {}

  PERFCHECK_HOST_ONLY PERFCHECK_HOST_DEVICE std::int64_t row() const { return row_; }
  PERFCHECK_HOST_ONLY PERFCHECK_HOST_DEVICE double at(int input, std::int64_t row, std::int64_t column) {
    return source_.at(input, row, column);
  }
  PERFCHECK_HOST_ONLY PERFCHECK_HOST_DEVICE double in(int input, std::int64_t column) {
    return source_.at(input, source_.rows(input) == 1 ? 0 : row_, column);
  }

  /// Eight partial sums, so that in long lines additions need not wait for each other and errors accumulate less.
  PERFCHECK_HOST_ONLY template <class Term>
  PERFCHECK_HOST_DEVICE double sum(std::int64_t count, Term term) {
    double sums[8] = {};
    for (std::int64_t i = 0; i < count; ++i) sums[i % 8] += term(i);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
  PERFCHECK_HOST_ONLY template <class Term>
  PERFCHECK_HOST_DEVICE double max(std::int64_t count, Term term) {
    double most = -verify::detail::infinity();
    for (std::int64_t i = 0; i < count; ++i) most = larger(most, term(i));
    return most;
  }
  PERFCHECK_HOST_ONLY template <class Element>
  PERFCHECK_HOST_DEVICE void results(Element element) {
    for (std::int64_t column = 0; column < columns_; ++column) sink_.take(row_, column, element(column));
  }

 private:
  Source& source_;
  Sink& sink_;
  std::int64_t row_, columns_;
};

#undef PERFCHECK_HOST_ONLY

struct StoringSink {
  std::int64_t columns;
  double* values;
  float* scales;
  PERFCHECK_HOST_DEVICE void take(std::int64_t row, std::int64_t column, LineResult const& result) {
    values[row * columns + column] = result.value;
    scales[row * columns + column] = static_cast<float>(result.scale);
  }
};

struct JudgingSink {
  verify::MatrixView output;
  verify::Bound bound;
  std::uint64_t right = 0;
  PERFCHECK_HOST_DEVICE void take(std::int64_t row, std::int64_t column, LineResult const& result) {
    auto const bits = verify::load_bits(output.element, output.data, output.index(row, column));
    // Stored scales are FP32; rounded here too, so that both ways of judging agree.
    auto const scale = static_cast<double>(static_cast<float>(result.scale));
    right += verify::judge(output.element, bits, result.value, scale, bound).wrong ? 0U : 1U;
  }
};

}  // namespace detail

/// LineMath on the host, for an operation as described in lines.h.
template <class Operation>
class HostLineMath final : public LineMath {
 public:
  using Problem = typename Operation::Kernel::Problem;
  explicit HostLineMath(Problem const& problem) : problem_(problem), output_(Operation::output(problem).shape) {}

  void compute(Inputs const& inputs, double* values, float* scales) override {
    detail::StoredSource source(inputs);
    detail::StoringSink sink{output_.columns, values, scales};
    go_through(source, sink);
  }

  void judge(Outputs const& outputs, verify::Bound const& bound) override {
    auto const of_one_set = static_cast<std::uint64_t>(output_.size());
    result_ = {.judged = of_one_set * static_cast<std::uint64_t>(outputs.sets)};
    for (int set = 0; set < outputs.sets; ++set) {
      detail::SecretSource source(outputs.inputs, outputs.secret, set);
      detail::JudgingSink sink{outputs.first, bound};
      sink.output.data = static_cast<std::byte*>(outputs.first.data) + set * outputs.set_bytes;
      go_through(source, sink);
      result_.right += sink.right;
      if (sink.right != of_one_set && result_.wrong_set < 0) result_.wrong_set = set;
    }
  }

  ProofResult collect() override { return result_; }

 private:
  template <class Source, class Sink>
  void go_through(Source& source, Sink& sink) {
    for (std::int64_t row = 0; row < output_.rows; ++row) {
      detail::HostLine<Source, Sink> line(source, sink, row, output_.columns);
      Operation::reference(problem_, line);
    }
  }

  Problem problem_;
  verify::MatrixView output_;
  ProofResult result_;
};

}  // namespace perfcheck::kit
