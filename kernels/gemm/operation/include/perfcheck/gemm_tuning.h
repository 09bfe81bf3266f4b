// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels with parameters that `perfcheck tune` chooses (docs/tuning.md): a kernel declares its space, an array of
// points (tile shapes, say), and is a template over the index of a point. In a worker for tuning, every point is a
// kernel of its own, named kernel:point. Otherwise the kernel uses, for each problem, the point that was fastest on the
// nearest problem measured on this device; only points that were fastest somewhere are compiled. Points of a kernel
// that merely calls a library count for the very problem that was measured, with the version that it was measured with.
//
// A kernel file ends with, instead of PERFCHECK_GEMM_KERNEL:
//   constexpr Shape kSpace[] = {{4, 2}, {8, 1}};               // the first is used where nothing was measured
//   template <int kPoint> constexpr GemmKernel kKernel{.summary = "...", .launch = launch<kPoint>};
//   PERFCHECK_TUNED_GEMM_KERNEL(persistent, kSpace, kKernel);
// and a function `PointName point_name(Shape const&)` names points.
#pragma once

#include <perfcheck/gemm.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace perfcheck {

/// What was fastest on one problem on one device.
struct TunedProblem {
  std::string_view device;   ///< slug, "nvidia-h100-80gb-hbm3"
  std::string_view problem;  ///< canonical text
  /// Kernels, the fastest first, separated by blanks: "gemm/simt/persistent:8x1 gemm/simt/small". Each appears once,
  /// with its fastest point if it has several.
  std::string_view ranking;
  /// For each of them the libraries that its time was measured with, "cuBLAS=13.1.0" or "-" for none; several have
  /// commas between them.
  std::string_view libraries = {};
};

/// One entry of a ranking.
struct RankedKernel {
  std::string_view id;     ///< "gemm/simt/persistent"
  std::string_view point;  ///< "8x1"; empty for a kernel without a space
};

/// Takes the first entry off a ranking; an empty id when there is none left.
RankedKernel next_ranked(std::string_view& ranking);

/// The entry of `table` whose problem is nearest to `problem`, among those whose ranking names `kernel` (among all,
/// when `kernel` is empty); null when there is none. Only entries of `device` count or, where it has none, those of all
/// devices. Distance is measured in octaves of m, n and k; another layout of B counts as one and a half.
TunedProblem const* nearest_tuned(std::span<TunedProblem const> table, std::string_view device,
                                  GemmProblem const& problem, std::string_view kernel);

/// The point of `kernel` in an entry; empty when there is none.
std::string_view point_in(TunedProblem const& entry, std::string_view kernel);

/// The point of `kernel` in the entry of the nearest problem; empty when there is none.
std::string_view tuned_point(std::span<TunedProblem const> table, std::string_view device, GemmProblem const& problem,
                             std::string_view kernel);

/// The entry of `device` for `problem` itself, apart from alpha, beta and hot; null when there is none that names
/// `kernel`.
TunedProblem const* measured_itself(std::span<TunedProblem const> table, std::string_view device,
                                    GemmProblem const& problem, std::string_view kernel);

/// Refuses all problems but those that were measured themselves, with the version of the library that is loaded. A
/// point of a library's kernel is a number in the library's answer, which depends on both.
Refusal refuse_unknown_answer(std::span<TunedProblem const> table, std::string_view device, GemmProblem const& problem,
                              std::string_view kernel, LibraryInfo const& library);

/// The kernel that was the fastest on the nearest problem, or the next fastest if it refuses; where nothing measured
/// can be used, the first of `without_measurements`, ids with blanks between them, that takes the problem. A library's
/// kernel is never chosen, nor one of other types, nor one for an architecture that `runs_here` denies. Throws
/// std::logic_error if nothing is left.
GemmKernel const& fastest_kernel(std::span<TunedProblem const> table, std::string_view device,
                                 GemmProblem const& problem, std::string_view without_measurements,
                                 bool (*runs_here)(Arch const&));

/// The kernel that was chosen for the last problem, so that launches that repeat it do not search rankings again. Each
/// thread has its own.
class LastChoice {
 public:
  /// Returns `choose(problem)`, a kernel that lives as long as the program.
  template <class Choose>
  GemmKernel const& of(GemmProblem const& problem, Choose const& choose) {
    if (kernel_ == nullptr || !(problem == problem_) || device_ != present_device()) {
      kernel_ = &choose(problem);
      problem_ = problem;
      device_ = present_device();
    }
    return *kernel_;
  }

 private:
  GemmKernel const* kernel_ = nullptr;
  GemmProblem problem_;
  std::string device_;
};

/// The problem of a launch, without what does not affect the choice (the leading dimensions tell the alignment of
/// rows).
GemmProblem problem_of(GemmArgs const& args, GemmTypes types);

/// Text of a point, as part of a kernel's id: letters, digits, '_', '-' and '.'.
struct PointName {
  char text[40] = {};
  constexpr operator std::string_view() const { return text; }
};

/// A letter and a number: "h7".
constexpr PointName numbered(char letter, int number) {
  PointName name;
  std::size_t at = 0;
  name.text[at++] = letter;
  if (number >= 10) name.text[at++] = static_cast<char>('0' + number / 10 % 10);
  name.text[at++] = static_cast<char>('0' + number % 10);
  return name;
}

/// Numbers with 'x' between them: "64x128x128".
constexpr PointName join_with_x(std::initializer_list<int> numbers) {
  PointName name;
  std::size_t at = 0;
  for (int number : numbers) {
    if (at > 0) name.text[at++] = 'x';
    char digits[12] = {};
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0) name.text[at++] = digits[--count];
  }
  return name;
}

}  // namespace perfcheck

#if __has_include(<perfcheck/tuned_table.h>)
#include <perfcheck/tuned_table.h>  // written by perfcheck_add_kernels(TUNED ...)
#else
namespace perfcheck {
[[maybe_unused]] constexpr std::span<TunedProblem const> kTunedProblems{};
[[maybe_unused]] constexpr std::span<std::string_view const> kTunedPoints{};
}  // namespace perfcheck
#endif

namespace perfcheck {

/// A kernel that picks a point per problem: that of the nearest problem that was measured or, for a kernel that merely
/// calls a library, of this very problem. `Space` is the type that PERFCHECK_TUNED_GEMM_KERNEL defines.
template <class Space>
class TunedGemmKernel {
 public:
  static constexpr GemmKernel kernel() {
    GemmKernel kernel = Space::template kernel<0>();
    kernel.accepts = accepts;
    kernel.workspace_bytes = workspace_bytes;
    kernel.launch = launch;
    return kernel;
  }

 private:
  /// Points that are compiled: the first, and those that were fastest somewhere.
  static constexpr bool is_compiled(std::size_t number) {
    if (number == 0) return true;
    std::string_view const id = Space::id;
    PointName const name = Space::point(number);  // once: compilers limit how much a constant expression may do
    std::string_view const point = name;
    for (std::string_view const used : kTunedPoints) {
      if (used.size() == id.size() + 1 + point.size() && used.ends_with(point) && used.starts_with(id)) return true;
    }
    return false;
  }

  template <std::size_t kPoint>
  static constexpr GemmKernel const* compiled() {
    if constexpr (is_compiled(kPoint)) {
      return &Space::template kernel<kPoint>();
    } else {
      return nullptr;
    }
  }

  static GemmKernel const& pick(GemmProblem const& problem) {
    static constexpr auto kCompiled = []<std::size_t... kPoints>(std::index_sequence<kPoints...>) {
      return std::array<GemmKernel const*, Space::kSize>{compiled<kPoints>()...};
    }(std::make_index_sequence<Space::kSize>{});
    std::string_view const wanted = point_for(problem);
    for (std::size_t point = 1; point < Space::kSize; ++point) {
      if (wanted == std::string_view(Space::point(point)) && kCompiled[point] != nullptr) return *kCompiled[point];
    }
    return *kCompiled[0];
  }

  static LibraryInfo const* library() { return Space::template kernel<0>().library; }

  static std::string_view point_for(GemmProblem const& problem) {
    if (library() == nullptr) return tuned_point(kTunedProblems, present_device(), problem, Space::id);
    TunedProblem const* const entry = measured_itself(kTunedProblems, present_device(), problem, Space::id);
    return entry == nullptr ? std::string_view{} : point_in(*entry, Space::id);
  }

  static Refusal accepts(GemmProblem const& problem) {
    if (library() != nullptr) {
      Refusal refusal = refuse_unknown_answer(kTunedProblems, present_device(), problem, Space::id, *library());
      if (refusal) return refusal;
    }
    GemmKernel const& kernel = pick(problem);
    return kernel.accepts == nullptr ? Refusal{} : kernel.accepts(problem);
  }
  static std::size_t workspace_bytes(GemmProblem const& problem) {
    GemmKernel const& kernel = pick(problem);
    return kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
  }
  static void launch(GemmArgs const& args) {
    thread_local LastChoice last;
    last.of(problem_of(args, Space::template kernel<0>().types), pick).launch(args);
  }
};

/// A name followed by a point: "persistent:8x1".
struct PointedName {
  char text[80] = {};
};
constexpr PointedName with_point(std::string_view name, std::string_view point) {
  PointedName result;
  std::size_t at = 0;
  for (char const c : name) result.text[at++] = c;
  result.text[at++] = ':';
  for (char const c : point) result.text[at++] = c;
  return result;
}

/// The last part of a kernel's id.
constexpr char const* name_in(char const* id) {
  char const* name = id;
  for (char const* at = id; *at != 0; ++at) {
    if (*at == '/') name = at + 1;
  }
  return name;
}

#ifdef PERFCHECK_TUNING
/// Registers every point as a kernel of its own.
template <class Space, class Points = std::make_index_sequence<Space::kSize>>
class SpaceRegistration;
template <class Space, std::size_t... kPoints>
class SpaceRegistration<Space, std::index_sequence<kPoints...>> {
 public:
  SpaceRegistration(char const* set, char const* file, int line) noexcept
      : registrations_{KernelRegistration(
            gemm_kernel_info(Space::template kernel<kPoints>(), set, kNames[kPoints].text, file, line))...} {}

 private:
  static constexpr PointedName kNames[] = {with_point(name_in(Space::id), Space::point(kPoints))...};
  KernelRegistration registrations_[Space::kSize];
};
#else
/// Registers one kernel, which picks a point per problem.
template <class Space>
class SpaceRegistration {
 public:
  SpaceRegistration(char const* set, char const* file, int line) noexcept
      : registration_(gemm_kernel_info(kKernel, set, name_in(Space::id), file, line)) {}

 private:
  static constexpr GemmKernel kKernel = TunedGemmKernel<Space>::kernel();
  KernelRegistration registration_;
};
#endif

}  // namespace perfcheck

/// Registers a kernel with a space: an array `points`, and a variable template `kernel_at<int>` of GemmKernels.
// NOLINTBEGIN(bugprone-macro-parentheses): names of types and templates cannot stand in parentheses
#define PERFCHECK_TUNED_GEMM_KERNEL(kernel_name, points, kernel_at)                                          \
  namespace {                                                                                                \
  struct perfcheck_space_##kernel_name {                                                                     \
    static constexpr char const* id = PERFCHECK_KERNEL_SET "/" #kernel_name;                                 \
    static constexpr std::size_t kSize = std::size(points);                                                  \
    static constexpr ::perfcheck::PointName point(std::size_t number) { return point_name(points[number]); } \
    template <std::size_t kPoint>                                                                            \
    static constexpr ::perfcheck::GemmKernel const& kernel() {                                               \
      return kernel_at<static_cast<int>(kPoint)>;                                                            \
    }                                                                                                        \
  };                                                                                                         \
  ::perfcheck::SpaceRegistration<perfcheck_space_##kernel_name> const perfcheck_registration_##kernel_name{  \
      PERFCHECK_KERNEL_SET, PERFCHECK_KERNEL_FILE, __LINE__};                                                \
  }                                                                                                          \
  static_assert(::perfcheck::can_launch(kernel_at<0>), "a kernel with a space needs .launch, and has no features")
// NOLINTEND(bugprone-macro-parentheses)
