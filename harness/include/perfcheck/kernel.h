// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What every kernel declares about itself, whatever its operation.
// A kernel file does not use these types directly: it includes its operation's header (perfcheck/gemm.h), which wraps
// them in one registration macro.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

// perfcheck_add_kernels() defines these; the operation's registration macro uses them.
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

/// The stream that a kernel must launch on: the CUDA runtime's cudaStream_t, declared here without its header. Null on
/// the CPU.
using Stream = CUstream_st*;

/// Why a kernel refuses a problem, as a sentence for people; empty if it accepts the problem.
using Refusal = std::optional<std::string>;

/// The devices a kernel can run on.
struct Arch {
  int major = 0;
  int minor = 0;
  /// True for architecture-specific code ("a" targets), which runs on one compute capability only.
  bool exact = false;
};

/// No requirement: for CPU kernels, and for CUDA kernels that run on every architecture of the build.
constexpr Arch any_arch() { return {}; }
/// Compute capability `major.minor` or newer.
constexpr Arch arch_at_least(int major, int minor) { return {.major = major, .minor = minor, .exact = false}; }
/// Compute capability `major.minor` and no other (code that uses wgmma, setmaxnreg, tcgen05).
constexpr Arch arch_exactly(int major, int minor) { return {.major = major, .minor = minor, .exact = true}; }

/// A library that does a kernel's work. Its version is stored with every measurement, because times relative to a
/// library's kernels are not comparable across its versions.
struct LibraryInfo {
  char const* name = "";               ///< "cuBLAS"
  std::string (*version)() = nullptr;  ///< of the library loaded at run time, perhaps not the one compiled against
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
  /// False for kernels that use atomics in varying order: their results need not be bitwise equal from launch to
  /// launch.
  bool deterministic = true;
  /// The library that this kernel merely calls; null if the program's own code does the work.
  LibraryInfo const* library = nullptr;
  /// A reference: other kernels are timed beside this one, and it is its own control. See perfcheck_add_kernels(...
  /// REFERENCES).
  bool reference = false;
  /// Arithmetic that the kernel executes, if it differs from what the problem's types suggest: "i8" for FP32 results
  /// made of INT8 products. A key into DeviceInfo::peak_tflops; empty if not declared. A declared unit is shown to
  /// users, and perfcheck rejects times shorter than that unit needs. Otherwise it assumes the device's fastest unit.
  char const* executes = "";
  /// Share of the operation's FLOP that the kernel executes, such as 0.875 for one level of Strassen; 0 if not
  /// declared.
  double work_share = 0;
  /// The operation's own description, e.g. GemmKernel.
  void const* typed = nullptr;

  std::string id() const { return std::string(set) + "/" + name; }
};

/// The device model that this program's kernels run on, named like the folders of baselines: "nvidia-h200". Kernels
/// with tuned parameters select them by this name. A worker sets it when it opens a device; a program that links
/// kernels without a worker may set it itself. Empty means unknown.
inline std::string& present_device() {
  static std::string slug;
  return slug;
}

/// Links a kernel into the program's registry. Static objects of this type register before main(). Their constructor
/// cannot fail and allocates nothing, and the order of static initialisation does not matter.
class KernelRegistration {
 public:
  explicit KernelRegistration(KernelInfo const& info) noexcept : info_(info), next_(head_) { head_ = this; }
  KernelRegistration(KernelRegistration const&) = delete;
  KernelRegistration& operator=(KernelRegistration const&) = delete;

  KernelInfo const& info() const { return info_; }
  KernelRegistration const* next() const { return next_; }
  /// First registration in the list. The linker determines the order; it has no meaning.
  static KernelRegistration const* first() { return head_; }

 private:
  KernelInfo info_;
  KernelRegistration const* next_;
  static inline constinit KernelRegistration const* head_ = nullptr;
};

}  // namespace perfcheck
