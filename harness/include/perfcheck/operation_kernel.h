// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of an operation that a project defines itself (perfcheck/kit/lines.h). The operation's own header names its
// problem and its arguments; a kernel file includes that and nothing else:
//
//   using Kernel = perfcheck::OperationKernel<Problem, Args>;
//   #define ROW_SUM_KERNEL(name, ...) PERFCHECK_KERNEL("row_sum", ::row_sum::Kernel, name, __VA_ARGS__)
#pragma once

#include <perfcheck/element.h>
#include <perfcheck/kernel.h>

#include <cstddef>

namespace perfcheck {

/// A kernel of such an operation. PERFCHECK_KERNEL takes designated initialisers for it.
template <class ProblemType, class ArgsType>
struct OperationKernel {
  using Problem = ProblemType;
  using Args = ArgsType;

  char const* summary = "";
  /// Format that the kernel works on, if the operation's problems have one.
  Element element = Element::f32;
  Arch arch{};
  bool deterministic = true;
  LibraryInfo const* library = nullptr;
  /// A reference: other kernels are timed beside this one, and it is its own control. Each element has one: a library's
  /// kernel or the plain one. Allowed only in a set that may hold references (perfcheck_add_kernels(... REFERENCES)).
  bool reference = false;
  char const* executes = "";  ///< as in KernelInfo; work_share too
  double work_share = 0;
  /// Returns why the kernel refuses a problem, or empty. Null accepts every problem.
  Refusal (*accepts)(Problem const&) = nullptr;
  /// Scratch memory that a problem needs, in bytes. Null means none.
  std::size_t (*workspace_bytes)(Problem const&) = nullptr;
  /// Enqueues on the stream that the arguments name and returns without waiting; it is captured into CUDA graphs, so it
  /// must not synchronise or allocate. Throws on failure (PERFCHECK_CUDA); launch errors are also checked by the
  /// caller.
  void (*launch)(Args const&) = nullptr;
};

/// The registry's view of such a kernel; used by PERFCHECK_KERNEL.
template <class Kernel>
constexpr KernelInfo operation_kernel_info(Kernel const& kernel, char const* operation, char const* set,
                                           char const* name, char const* file, int line) {
  return {.operation = operation,
          .set = set,
          .name = name,
          .summary = kernel.summary,
          .file = file,
          .line = line,
          .arch = kernel.arch,
          .deterministic = kernel.deterministic,
          .library = kernel.library,
          .reference = kernel.reference,
          .executes = kernel.executes,
          .work_share = kernel.work_share,
          .typed = &kernel};
}

/// For PERFCHECK_KERNEL. A check on a function's parameter, unlike one on the object itself, does not make compilers
/// warn that the result is always the same.
template <class Kernel>
constexpr bool operation_kernel_can_launch(Kernel const& kernel) {
  return kernel.launch != nullptr;
}
template <class Kernel>
constexpr bool operation_kernel_may_be_reference(Kernel const& kernel, bool set_may) {
  return set_may || !kernel.reference;
}

}  // namespace perfcheck

/// Registers a kernel. Its id is the SET of perfcheck_add_kernels(), a slash and this name.
#define PERFCHECK_KERNEL(operation, Kernel, kernel_name, ...)                                                        \
  namespace {                                                                                                        \
  constexpr Kernel perfcheck_kernel_##kernel_name{__VA_ARGS__};                                                      \
  ::perfcheck::KernelRegistration const perfcheck_registration_##kernel_name{                                        \
      ::perfcheck::operation_kernel_info(perfcheck_kernel_##kernel_name, operation, PERFCHECK_KERNEL_SET,            \
                                         #kernel_name, PERFCHECK_KERNEL_FILE, __LINE__)};                            \
  }                                                                                                                  \
  static_assert(::perfcheck::operation_kernel_can_launch(perfcheck_kernel_##kernel_name), "a kernel needs .launch"); \
  static_assert(                                                                                                     \
      ::perfcheck::operation_kernel_may_be_reference(perfcheck_kernel_##kernel_name, PERFCHECK_KERNEL_REFERENCES),   \
      ".reference is for sets that perfcheck_add_kernels() was given REFERENCES for")
