// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What every kernel tells perfcheck about itself, whatever its operation.
// A kernel file does not use these types directly: it includes its operation's header (perfcheck/gemm.h), which wraps
// them in one registration macro.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

// perfcheck_add_kernels() defines these, for the operation's registration macro.
#ifndef PERFCHECK_KERNEL_SET
#define PERFCHECK_KERNEL_SET "unnamed"
#endif
#ifndef PERFCHECK_KERNEL_REFERENCES
#define PERFCHECK_KERNEL_REFERENCES 0
#endif
#ifndef PERFCHECK_KERNEL_FILE
#define PERFCHECK_KERNEL_FILE __FILE__
#endif

struct CUstream_st;

namespace perfcheck {

/// The stream a kernel must launch on: the CUDA runtime's cudaStream_t, named without its header. Null on the CPU.
using Stream = CUstream_st*;

/// Why a kernel does not run a problem, as a sentence for a person; empty when it does run it.
using Refusal = std::optional<std::string>;

/// The devices a kernel can run on.
struct Arch {
  int major = 0;
  int minor = 0;
  /// True for architecture-specific code ("a" targets), which runs on exactly one compute capability.
  bool exact = false;
};

/// No requirement: CPU kernels, and CUDA kernels that any architecture of the build can run.
constexpr Arch any_arch() { return {}; }
/// Compute capability `major.minor` or newer.
constexpr Arch arch_at_least(int major, int minor) { return {.major = major, .minor = minor, .exact = false}; }
/// Compute capability `major.minor` and no other (code that uses wgmma, setmaxnreg, tcgen05).
constexpr Arch arch_exactly(int major, int minor) { return {.major = major, .minor = minor, .exact = true}; }

/// A library that does the work of a kernel. Its version is stored with every measurement: under another version, times
/// relative to the library's kernels mean something else.
struct LibraryInfo {
  char const* name = "";               ///< "cuBLAS"
  std::string (*version)() = nullptr;  ///< of the library that was loaded, which need not be the one compiled against
};

/// One registered kernel, as the harness sees it: the operation keeps its own typed description behind `typed`.
struct KernelInfo {
  char const* operation = "";  ///< "gemm"
  char const* set = "";        ///< folder below kernels/, "gemm/simt"
  char const* name = "";       ///< "naive"; the kernel's id is set + "/" + name
  char const* summary = "";    ///< one line for `perfcheck list`
  char const* file = "";       ///< source file of the registration
  int line = 0;
  Arch arch{};
  /// False for kernels that use atomics in an order that changes: repeated results need not be equal bit by bit.
  bool deterministic = true;
  /// The library that this kernel merely calls; null where the program's own code does the work.
  LibraryInfo const* library = nullptr;
  /// Other kernels are timed beside this one, and it is its own control. See perfcheck_add_kernels(... REFERENCES).
  bool reference = false;
  /// Arithmetic that the kernel executes, where that is not what its problems' types suggest: "i8" for FP32 results
  /// made of INT8 products. A key into DeviceInfo::peak_tflops; empty when it declares none. Declared, it is shown, and
  /// no time below what these units need is believed; otherwise the device's fastest units are assumed.
  char const* executes = "";
  /// Share of the operation's FLOP that it executes, such as 0.875 for one level of Strassen; 0 when it declares none.
  double work_share = 0;
  /// The operation's own description, e.g. GemmKernel.
  void const* typed = nullptr;

  std::string id() const { return std::string(set) + "/" + name; }
};

/// The device model that this program's kernels run on, as the folders of baselines are called: "nvidia-h200". Kernels
/// with tuned parameters look them up by it. A worker sets it when it opens a device; a program that links kernels
/// without a worker may set it itself. Empty: unknown.
inline std::string& present_device() {
  static std::string slug;
  return slug;
}

/// Links a kernel into the program's registry. Static objects of this type register before main(); construction cannot
/// fail and allocates nothing, so the order of static initialisation does not matter.
class KernelRegistration {
 public:
  explicit KernelRegistration(KernelInfo const& info) noexcept : info_(info), next_(head_) { head_ = this; }
  KernelRegistration(KernelRegistration const&) = delete;
  KernelRegistration& operator=(KernelRegistration const&) = delete;

  KernelInfo const& info() const { return info_; }
  KernelRegistration const* next() const { return next_; }
  /// First of all registrations; the order is the linker's and means nothing.
  static KernelRegistration const* first() { return head_; }

 private:
  KernelInfo info_;
  KernelRegistration const* next_;
  static inline constinit KernelRegistration const* head_ = nullptr;
};

}  // namespace perfcheck
