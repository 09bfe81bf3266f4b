// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation row_sum as the author of a kernel sees it: sums[r] = x[r][0] + ... + x[r][columns - 1], in FP32.
// A kernel file includes this and nothing else of the operation, and ends with ROW_SUM_KERNEL(...).
#pragma once

#include <perfcheck/kernel.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace row_sum {

/// One instance. Canonical text: r4096c1000, or r4096c1000,hot.
struct RowSumProblem {
  std::int64_t rows = 0, columns = 0;
  /// Timed on one set of buffers, which stays in cache; otherwise launches rotate over more than the cache holds.
  bool hot = false;
};

/// Everything one launch needs. Pointers are device memory for CUDA kernels, aligned to 256 bytes.
struct RowSumArgs {
  float const* x = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0;  ///< elements from row to row, at least `columns`; what lies between is not to be read
  float* sums = nullptr;        ///< `rows` elements, each of which must be written
  perfcheck::Stream stream = nullptr;
};

/// A kernel of the operation; fill in with designated initialisers through ROW_SUM_KERNEL.
struct RowSumKernel {
  char const* summary = "";
  /// Other kernels are timed in turns with this one. One kernel of a worker is.
  bool reference = false;
  perfcheck::Arch arch{};
  /// Reason to refuse a problem, or empty. Null accepts every problem.
  perfcheck::Refusal (*accepts)(RowSumProblem const&) = nullptr;
  /// Enqueues on `args.stream` and returns without waiting. Throws on failure.
  void (*launch)(RowSumArgs const& args) = nullptr;
};

std::string to_text(RowSumProblem const& problem);
/// Throws std::invalid_argument that says what may stand there.
RowSumProblem parse_problem(std::string_view text);

constexpr perfcheck::KernelInfo kernel_info(RowSumKernel const& kernel, char const* set, char const* name,
                                            char const* file, int line) {
  return {.operation = "row_sum",
          .set = set,
          .name = name,
          .summary = kernel.summary,
          .file = file,
          .line = line,
          .arch = kernel.arch,
          .typed = &kernel};
}

}  // namespace row_sum

/// Registers a kernel; its id is the set of perfcheck_add_kernels() and this name.
#define ROW_SUM_KERNEL(kernel_name, ...)                                                                   \
  namespace {                                                                                              \
  constexpr ::row_sum::RowSumKernel row_sum_kernel_##kernel_name{__VA_ARGS__};                             \
  ::perfcheck::KernelRegistration const row_sum_registration_##kernel_name{::row_sum::kernel_info(         \
      row_sum_kernel_##kernel_name, PERFCHECK_KERNEL_SET, #kernel_name, PERFCHECK_KERNEL_FILE, __LINE__)}; \
  }                                                                                                        \
  static_assert(row_sum_kernel_##kernel_name.launch != nullptr, "a kernel needs .launch")
