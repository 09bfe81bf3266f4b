// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation GEMM as a kernel author sees it:  D = alpha * A * B + beta * C.
//
//   A  m x k, row-major, leading dimension lda >= k
//   B  k x n, row-major (ldb >= n) or column-major (stored n x k, ldb >= k)
//   C  m x n, row-major, leading dimension ldd; read only when beta != 0, never written
//   D  m x n, row-major, leading dimension ldd >= n; every element must be written, the padding must not
//
// A kernel is one file that ends with PERFCHECK_GEMM_KERNEL(...). docs/add-a-kernel.md walks through it.
#pragma once

#include <perfcheck/kernel.h>

#include <cstdint>
#include <string_view>

namespace perfcheck {

/// What is multiplied and how: data type of A, B, C and D, and type of products and sums.
enum class GemmTypes {
  f32,   ///< FP32 data, FP32 multiply and add
  tf32,  ///< FP32 data, inputs rounded to TF32, FP32 accumulate
  f16,   ///< FP16 data, FP32 accumulate; canonical text "f16.f32"
  bf16,  ///< BF16 data, FP32 accumulate; canonical text "bf16.f32"
};

enum class BLayout { row_major, column_major };

/// One instance of GEMM. Canonical text: `f32,nn,m512n512k512[,lda528][,ldb..][,ldd..][,alpha2][,beta0.5][,hot]`.
struct GemmProblem {
  GemmTypes types = GemmTypes::f32;
  BLayout b_layout = BLayout::row_major;
  int m = 0, n = 0, k = 0;
  int lda = 0, ldb = 0, ldd = 0;  ///< in elements
  float alpha = 1.0F, beta = 0.0F;
  /// Timed with inputs left in cache; otherwise inputs rotate over more memory than the last-level cache holds.
  bool hot = false;
};

/// Everything one launch needs. Pointers are device memory for CUDA kernels, host memory for CPU kernels; each is
/// aligned to 256 bytes, rows are aligned only as far as the leading dimension makes them.
struct GemmArgs {
  int m = 0, n = 0, k = 0;
  void const* a = nullptr;
  int64_t lda = 0;
  void const* b = nullptr;
  int64_t ldb = 0;
  BLayout b_layout = BLayout::row_major;
  void const* c = nullptr;  ///< not to be read when beta is 0: null, or memory full of NaN
  void* d = nullptr;
  int64_t ldd = 0;  ///< leading dimension of C and D
  float alpha = 1.0F, beta = 0.0F;
  void* workspace = nullptr;  ///< `workspace_bytes(problem)` bytes, contents undefined
  std::size_t workspace_bytes = 0;
  Stream stream = nullptr;
};

/// A kernel of the operation GEMM. Fill in with designated initialisers through PERFCHECK_GEMM_KERNEL.
struct GemmKernel {
  char const* summary = "";
  GemmTypes types = GemmTypes::f32;
  Arch arch{};
  bool deterministic = true;
  /// The library that this kernel merely calls, if it does: an object that lives as long as the program.
  LibraryInfo const* library = nullptr;
  /// Arithmetic that it executes, where the types do not tell, and the share of the 2 m n k operations that it needs
  /// (KernelInfo has both): .executes = "i8", or .work_share = 0.875 for one level of Strassen.
  char const* executes = "";
  double work_share = 0;
  /// Reason to refuse a problem of `types`, or empty. Null accepts every problem.
  Refusal (*accepts)(GemmProblem const&) = nullptr;
  /// Scratch memory wanted for a problem, in bytes. Null means none.
  std::size_t (*workspace_bytes)(GemmProblem const&) = nullptr;
  /// Enqueues the multiplication on `args.stream` and returns without waiting; it is captured into CUDA graphs, so it
  /// must not synchronise or allocate. Throws on failure (PERFCHECK_CUDA); launch errors are also checked by the
  /// caller.
  void (*launch)(GemmArgs const& args) = nullptr;
};

/// Canonical text of the data types: "f32", "tf32", "f16.f32", "bf16.f32".
std::string_view to_text(GemmTypes types);
/// Bytes of one element of A, B, C and D.
int element_bytes(GemmTypes types);
/// Canonical text of a problem; leading dimensions, alpha and beta appear only when they are not the default.
std::string to_text(GemmProblem const& problem);
/// Reads canonical text. Throws std::invalid_argument naming the part that is wrong and what may stand there.
GemmProblem parse_gemm_problem(std::string_view text);

/// For PERFCHECK_GEMM_KERNEL: through a parameter, compilers do not warn that the answer is known.
constexpr bool can_launch(GemmKernel const& kernel) { return kernel.launch != nullptr; }

/// The registry's view of a GEMM kernel; used by PERFCHECK_GEMM_KERNEL.
constexpr KernelInfo gemm_kernel_info(GemmKernel const& kernel, char const* set, char const* name, char const* file,
                                      int line) {
  return {.operation = "gemm",
          .set = set,
          .name = name,
          .summary = kernel.summary,
          .file = file,
          .line = line,
          .arch = kernel.arch,
          .deterministic = kernel.deterministic,
          .library = kernel.library,
          .executes = kernel.executes,
          .work_share = kernel.work_share,
          .typed = &kernel};
}

}  // namespace perfcheck

/// Registers a kernel; the last statement of a kernel file:
///   PERFCHECK_GEMM_KERNEL(naive, .summary = "one thread per output", .types = GemmTypes::f32, .launch = launch);
#define PERFCHECK_GEMM_KERNEL(kernel_name, ...)                                                              \
  namespace {                                                                                                \
  constexpr ::perfcheck::GemmKernel perfcheck_kernel_##kernel_name{__VA_ARGS__};                             \
  ::perfcheck::KernelRegistration const perfcheck_registration_##kernel_name{::perfcheck::gemm_kernel_info(  \
      perfcheck_kernel_##kernel_name, PERFCHECK_KERNEL_SET, #kernel_name, PERFCHECK_KERNEL_FILE, __LINE__)}; \
  }                                                                                                          \
  static_assert(::perfcheck::can_launch(perfcheck_kernel_##kernel_name), "a kernel needs .launch")
