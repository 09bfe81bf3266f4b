// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation GEMM as a kernel author sees it:  D = f(alpha * A * B + beta * C + bias) + R.
//
//   A  m x k, row-major, leading dimension lda >= k
//   B  k x n, row-major (ldb >= n) or column-major (stored n x k, ldb >= k)
//   C  m x n, row-major, leading dimension ldd; read only when beta != 0, never written
//   D  m x n, row-major, leading dimension ldd >= n; every element must be written, the padding must not
//
// bias, f and R are optional features, as are batches of such problems, and groups of rows of A that each have a B of
// their own. A kernel declares the features that it has (`.features`), and is never asked for others. Scale factors
// belong to the types (gemm_types.h). A kernel is one file that ends with PERFCHECK_GEMM_KERNEL(...).
// docs/add-a-kernel.md walks through it.
#pragma once

#include <perfcheck/activation.h>
#include <perfcheck/gemm_types.h>
#include <perfcheck/kernel.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck {

enum class BLayout { row_major, column_major };

/// What a problem may ask for beyond a product of two matrices. A kernel says what it has: .features =
/// GemmFeature::bias | Activation::gelu.
enum class GemmFeature : std::uint32_t {
  none = 0,
  batch = 1,      ///< several problems of one size, equal distances apart
  bias = 2,       ///< a number for each column, before the activation
  residual = 4,   ///< a matrix like D that is added at the end
  groups = 8,     ///< consecutive rows of A, any number of them, share a B
  pointers = 16,  ///< several problems of one size, reached through arrays of pointers
  sparse24 = 32,  ///< of every four consecutive elements of a row of A, two are left out
};
/// Most groups that a problem may have.
inline constexpr int kMostGroups = 512;
constexpr GemmFeature operator|(GemmFeature x, GemmFeature y) {
  return static_cast<GemmFeature>(static_cast<std::uint32_t>(x) | static_cast<std::uint32_t>(y));
}
/// Each activation is a feature of its own.
constexpr GemmFeature operator|(GemmFeature x, Activation activation) {
  if (activation == Activation::none) return x;
  return x | static_cast<GemmFeature>(std::uint32_t{1} << (16U + static_cast<unsigned>(activation)));
}
constexpr bool has(GemmFeature all, GemmFeature some) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(some)) == static_cast<std::uint32_t>(some);
}

/// One instance of GEMM. Canonical text:
/// `f32,nn,m512n512k512[,lda528][,ldb..][,ldd..][,alpha2][,beta0.5][,batch64][,pointers][,groups128+0+2x192][,sparse24]
/// [,bias][,gelu][,residual][,hot]`.
struct GemmProblem {
  GemmTypes types = GemmTypes::f32;
  BLayout b_layout = BLayout::row_major;
  int m = 0, n = 0, k = 0;
  int lda = 0, ldb = 0, ldd = 0;  ///< in elements
  float alpha = 1.0F, beta = 0.0F;
  /// Timed with inputs left in cache; otherwise inputs rotate over more memory than the last-level cache holds.
  bool hot = false;
  int batch = 1;          ///< number of matrices A, B, C and D, one right after the other
  bool pointers = false;  ///< kernels get arrays of pointers to the matrices instead
  /// Rows of A, C and D in each group, one group after the other; they add up to m, and some may be 0. Each group has a
  /// B of its own, one right after the other. Empty: all rows share one B.
  std::vector<int> groups;
  /// Of every four consecutive elements of a row of A, two are kept. A is then m x k / 2, and indices say which were
  /// kept.
  bool sparse24 = false;
  bool bias = false;
  Activation activation = Activation::none;
  bool residual = false;

  friend bool operator==(GemmProblem const&, GemmProblem const&) = default;
};

/// Everything one launch needs. Pointers are device memory for CUDA kernels, host memory for CPU kernels; each is
/// aligned to 256 bytes, and rows only as far as the leading dimension allows.
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

/// The same with features and scale factors, for kernels that use them (`.launch_full`). A struct of its own, because
/// kernels pass GemmArgs to the device by value: when these members were added to it, ptxas allocated registers
/// differently, and kernels took from 6 % less to 7 % more time.
struct GemmFullArgs : GemmArgs {
  int batch = 1;
  int64_t a_stride = 0, b_stride = 0, d_stride = 0;  ///< elements from one matrix to the next; C's is D's
  void const* bias = nullptr;                        ///< n elements of D's format; null without
  Activation activation = Activation::none;
  void const* residual = nullptr;  ///< like D; null without
  /// Scale factors of A, depending on GemmScaling: one; m; or m x ceil(k / 128), stored column by column (m numbers for
  /// each block of k). Null where there are none.
  void const* a_scales = nullptr;
  /// Scale factors of B: one; n; ceil(k / 128) x ceil(n / 128), column by column; or for groups ceil(k / 128) x n, row
  /// by row.
  void const* b_scales = nullptr;
  /// How many groups the m rows are divided into; 0 without groups. Matrix g of B is for rows group_offsets[g] to
  /// group_offsets[g + 1] - 1 of A, C, D and the residual; a group may have no rows.
  int groups = 0;
  std::int32_t const* group_offsets = nullptr;  ///< groups + 1 numbers from 0 to m, in memory as A is; read-only
  /// Where the elements of a sparse A belong, which has k / 2 of them in each row. One byte is for eight columns and
  /// has two bits for each kept element, from the lowest bits on: the places of two elements among the first four
  /// columns, then of two among the last four. The first of two places is the lower one. Rows of k / 8 bytes, one right
  /// after the other.
  std::uint8_t const* a_indices = nullptr;
  /// For a batch with pointers: `batch` pointers each, in the same kind of memory as A and in no particular order;
  /// read-only. Where one of these is set, its member without `_pointers` is null, and strides are 0.
  void const* const* a_pointers = nullptr;
  void const* const* b_pointers = nullptr;
  void const* const* c_pointers = nullptr;
  void* const* d_pointers = nullptr;
  void const* const* residual_pointers = nullptr;
};

/// A kernel of the operation GEMM. Fill in with designated initialisers through PERFCHECK_GEMM_KERNEL.
struct GemmKernel {
  char const* summary = "";
  GemmTypes types = GemmTypes::f32;
  Arch arch{};
  bool deterministic = true;
  /// The library that this kernel merely calls, if any: an object that lives as long as the program.
  LibraryInfo const* library = nullptr;
  /// The arithmetic that it executes, where the types do not tell, and the share of the 2 m n k operations that it
  /// needs (both as in KernelInfo): .executes = "i8", or .work_share = 0.875 for one level of Strassen.
  char const* executes = "";
  double work_share = 0;
  /// The features that it has: problems that ask for others are refused before `accepts` is called.
  GemmFeature features = GemmFeature::none;
  /// True for the kernel that other kernels of the same types are timed against: a library's, one for each set of
  /// types. Allowed only in a set that may hold references (perfcheck_add_kernels(... REFERENCES)).
  bool reference = false;
  /// Reason to refuse a problem of `types` and `features`, or empty. Null accepts every problem.
  Refusal (*accepts)(GemmProblem const&) = nullptr;
  /// Scratch memory wanted for a problem, in bytes. Null means none.
  std::size_t (*workspace_bytes)(GemmProblem const&) = nullptr;
  /// Enqueues the multiplication on `args.stream` and returns without waiting; it is captured into CUDA graphs, so it
  /// must not synchronise or allocate. Throws on failure (PERFCHECK_CUDA); launch errors are also checked by the
  /// caller.
  void (*launch)(GemmArgs const& args) = nullptr;
  /// Instead of `launch`, for kernels with features or scaled types.
  void (*launch_full)(GemmFullArgs const& args) = nullptr;
};

/// Canonical text of a problem; parts after the sizes appear only when they differ from the default.
std::string to_text(GemmProblem const& problem);
/// Sizes of groups as in that text, such as 128+0+2x192, where the last part stands for two groups of 192 rows.
std::string text_of_groups(std::vector<int> const& groups);
/// Parses canonical text. Throws std::invalid_argument, which names the part that is wrong and what is allowed there.
GemmProblem parse_gemm_problem(std::string_view text);

/// Launches a kernel through whichever of `launch` and `launch_full` it has.
inline void launch_kernel(GemmKernel const& kernel, GemmFullArgs const& args) {
  if (kernel.launch_full != nullptr) return kernel.launch_full(args);
  kernel.launch(args);
}
/// The same on one problem without features.
inline void launch_kernel(GemmKernel const& kernel, GemmArgs const& args) {
  GemmFullArgs full;
  static_cast<GemmArgs&>(full) = args;
  launch_kernel(kernel, full);
}

/// Name of the first feature that a problem asks for and that `features` lack; empty when they lack none.
std::string_view lacking_feature(GemmProblem const& problem, GemmFeature features);

/// For PERFCHECK_GEMM_KERNEL: with the kernel as a parameter, compilers do not warn that the condition is constant.
constexpr bool can_launch(GemmKernel const& kernel) {
  bool const plain = kernel.features == GemmFeature::none && kernel.types.scaling == GemmScaling::none;
  return kernel.launch_full != nullptr ? kernel.launch == nullptr : kernel.launch != nullptr && plain;
}
constexpr bool may_be_reference(GemmKernel const& kernel, bool set_may) { return set_may || !kernel.reference; }

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
          .reference = kernel.reference,
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
  static_assert(::perfcheck::can_launch(perfcheck_kernel_##kernel_name),                                     \
                "a kernel needs .launch, or .launch_full if it has features or scaled types");               \
  static_assert(::perfcheck::may_be_reference(perfcheck_kernel_##kernel_name, PERFCHECK_KERNEL_REFERENCES),  \
                ".reference is for sets that perfcheck_add_kernels() was given REFERENCES for")
