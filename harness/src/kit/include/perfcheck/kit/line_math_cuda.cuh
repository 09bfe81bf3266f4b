// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes an operation's reference on a CUDA device, with a warp per line.
#pragma once

#include "perfcheck/kit/line_math.h"

#include <perfcheck/cuda_check.h>

#include <cuda_runtime.h>

#include <algorithm>

namespace perfcheck::kit {
namespace detail {

inline constexpr int kLineThreads = 256;
inline constexpr int kLineWarps = kLineThreads / 32;

/// Inputs of one launch in memory, in a form that can be passed to a kernel.
struct DeviceInputs {
  verify::MatrixView views[kMostInputs];
  __device__ double at(int input, std::int64_t row, std::int64_t column) const {
    verify::MatrixView const& matrix = views[input];
    return verify::decode(matrix.element, verify::load_bits(matrix.element, matrix.data, matrix.index(row, column)));
  }
  __device__ std::int64_t rows(int input) const { return views[input].rows; }
};

/// Inputs of all sets, not read but regenerated.
struct DeviceSecrets {
  verify::SecretFormat formats[kMostInputs];
  std::int64_t row_counts[kMostInputs];
  std::uint64_t secret;
};

struct DeviceSecretSet {
  DeviceSecrets const& all;
  int set;
  __device__ double at(int input, std::int64_t row, std::int64_t column) const {
    // The key is the same for all lines of a set; compilers hoist it out of loops over columns.
    verify::SecretKey const key = verify::secret_key(all.secret, set, input);
    return verify::secret_element(all.formats[input], key, static_cast<std::uint32_t>(row),
                                  static_cast<std::uint32_t>(column));
  }
  __device__ std::int64_t rows(int input) const { return all.row_counts[input]; }
};

template <class Combine>
__device__ double of_all_lanes(double value, Combine combine) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffU, value, offset));
  }
  return value;
}

/// The `Line` of a reference (see lines.h) on a CUDA device. Every lane of the warp has one.
template <class Source, class Sink>
class WarpLine {
 public:
  __device__ WarpLine(Source const& source, Sink& sink, std::int64_t row, std::int64_t columns)
      : source_(source), sink_(sink), row_(row), columns_(columns) {}

  __device__ std::int64_t row() const { return row_; }
  __device__ double at(int input, std::int64_t row, std::int64_t column) const {
    return source_.at(input, row, column);
  }
  __device__ double in(int input, std::int64_t column) const {
    return source_.at(input, source_.rows(input) == 1 ? 0 : row_, column);
  }
  template <class Term>
  __device__ double sum(std::int64_t count, Term term) const {
    double sum = 0;
    for (std::int64_t i = threadIdx.x % 32; i < count; i += 32) sum += term(i);
    return of_all_lanes(sum, [](double x, double y) { return x + y; });
  }
  template <class Term>
  __device__ double max(std::int64_t count, Term term) const {
    double most = -verify::detail::infinity();
    for (std::int64_t i = threadIdx.x % 32; i < count; i += 32) most = larger(most, term(i));
    return of_all_lanes(most, [](double x, double y) { return larger(x, y); });
  }
  template <class Element>
  __device__ void results(Element element) {
    for (std::int64_t column = threadIdx.x % 32; column < columns_; column += 32) {
      sink_.take(row_, column, element(column));
    }
  }

 private:
  Source const& source_;
  Sink& sink_;
  std::int64_t row_, columns_;
};

struct LineCounts {
  unsigned long long right;
  int wrong_set;  ///< the smallest index of a set with an error
};

template <class Operation, class Problem>
__global__ void __launch_bounds__(kLineThreads)
    compute_lines(__grid_constant__ Problem const problem, __grid_constant__ DeviceInputs const inputs,
                  std::int64_t rows, StoringSink sink) {
  std::int64_t const warps = std::int64_t{gridDim.x} * kLineWarps;
  for (std::int64_t row = std::int64_t{blockIdx.x} * kLineWarps + threadIdx.x / 32; row < rows; row += warps) {
    WarpLine<DeviceInputs, StoringSink> line(inputs, sink, row, sink.columns);
    Operation::reference(problem, line);
  }
}

template <class Operation, class Problem>
__global__ void __launch_bounds__(kLineThreads)
    judge_lines(__grid_constant__ Problem const problem, __grid_constant__ DeviceSecrets const secrets,
                verify::MatrixView first, std::int64_t set_bytes, int sets, verify::Bound bound, LineCounts* counts) {
  std::int64_t const warps = std::int64_t{gridDim.x} * kLineWarps;
  std::int64_t const all = sets * first.rows;
  for (std::int64_t at = std::int64_t{blockIdx.x} * kLineWarps + threadIdx.x / 32; at < all; at += warps) {
    auto const set = static_cast<int>(at / first.rows);
    DeviceSecretSet const source{secrets, set};
    JudgingSink sink{first, bound};
    sink.output.data = static_cast<char*>(first.data) + set * set_bytes;
    WarpLine<DeviceSecretSet, JudgingSink> line(source, sink, at % first.rows, first.columns);
    Operation::reference(problem, line);
    auto right = static_cast<unsigned long long>(sink.right);
    for (int offset = 16; offset > 0; offset /= 2) right += __shfl_xor_sync(0xffffffffU, right, offset);
    if (threadIdx.x % 32 != 0) continue;
    atomicAdd(&counts->right, right);
    if (right != static_cast<unsigned long long>(first.columns)) atomicMin(&counts->wrong_set, set);
  }
}

}  // namespace detail

/// LineMath on a CUDA device, for an operation as described in lines.h.
template <class Operation>
class CudaLineMath final : public LineMath {
 public:
  using Problem = typename Operation::Kernel::Problem;
  CudaLineMath(Problem const& problem, device::Backend& backend)
      : problem_(problem),
        output_(Operation::output(problem).shape),
        backend_(backend),
        counts_(backend.allocate(sizeof(detail::LineCounts))) {
    int device = 0, multiprocessors = 0;
    PERFCHECK_CUDA(cudaGetDevice(&device));
    PERFCHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    most_blocks_ = 8 * multiprocessors;
  }

  void compute(Inputs const& inputs, double* values, float* scales) override {
    detail::DeviceInputs views{};
    for (int input = 0; input < kMostInputs; ++input) views.views[input] = inputs[input];
    detail::StoringSink const sink{output_.columns, values, scales};
    detail::compute_lines<Operation>
        <<<blocks(output_.rows), detail::kLineThreads, 0, backend_.stream()>>>(problem_, views, output_.rows, sink);
    backend_.check_launch();
  }

  void judge(Outputs const& outputs, verify::Bound const& bound) override {
    detail::DeviceSecrets secrets{};
    secrets.secret = outputs.secret;
    for (verify::SecretMatrices const& input : outputs.inputs) {
      secrets.formats[input.operand] = input.format();
      secrets.row_counts[input.operand] = input.first.rows;
    }
    auto const sets = static_cast<std::int64_t>(outputs.sets);
    judged_ = static_cast<std::uint64_t>(sets * output_.size());
    auto* const counts = static_cast<detail::LineCounts*>(counts_.data());
    PERFCHECK_CUDA(cudaMemsetAsync(&counts->right, 0, sizeof counts->right, backend_.stream()));
    // Sets every byte, which gives a large int: no wrong set yet.
    PERFCHECK_CUDA(cudaMemsetAsync(&counts->wrong_set, 0x7f, sizeof counts->wrong_set, backend_.stream()));
    detail::judge_lines<Operation><<<blocks(sets * output_.rows), detail::kLineThreads, 0, backend_.stream()>>>(
        problem_, secrets, outputs.first, outputs.set_bytes, outputs.sets, bound, counts);
    backend_.check_launch();
  }

  ProofResult collect() override {
    detail::LineCounts counts{};
    backend_.copy_to_host(&counts, counts_.data(), sizeof counts);
    constexpr int kNone = 0x7f7f7f7f;
    return {.right = counts.right, .judged = judged_, .wrong_set = counts.wrong_set == kNone ? -1 : counts.wrong_set};
  }

 private:
  unsigned blocks(std::int64_t lines) const {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>((lines + detail::kLineWarps - 1) / detail::kLineWarps, 1, most_blocks_));
  }

  Problem problem_;
  verify::MatrixView output_;
  device::Backend& backend_;
  device::Memory counts_;
  int most_blocks_ = 1;
  std::uint64_t judged_ = 0;
};

}  // namespace perfcheck::kit
