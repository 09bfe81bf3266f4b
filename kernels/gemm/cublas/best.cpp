// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes: what the references f32, tf32, f16, bf16, s8 and e4m3_tc14 compute.
// Layouts: those of the reference.
// Idea: cuBLASLt recommends up to 40 algorithms for a problem, and the first, which the reference uses, is not always
//   the fastest. `perfcheck tune` measures all of them, h0 to h39, and this kernel launches the one that was fastest:
//   what a program reaches that tries them once for each problem.
// Previous step: the reference, which is h0.
// Requires: what the reference requires, and that this very problem was tuned on this device with this version of
//   cuBLAS. A number says which algorithm is meant only together with these three, so all other problems are refused
//   (docs/tuning.md).
// Limits: the fastest of what the library recommends, not of what it has.
#include <perfcheck/gemm_tuning.h>

#include "cublas_gemm.h"

#include <array>

namespace {

using namespace perfcheck;

/// The number of an algorithm in the library's list.
struct Heuristic {
  int number;
};
constexpr auto kHeuristics = [] {
  std::array<Heuristic, library::kMostHeuristics> all{};
  for (int number = 0; number < library::kMostHeuristics; ++number) all[static_cast<std::size_t>(number)] = {number};
  return all;
}();

constexpr PointName point_name(Heuristic heuristic) { return numbered('h', heuristic.number); }

using Accepts = Refusal (*)(GemmProblem const&);

template <int kNumber, Accepts kOfReference>
Refusal accepts(GemmProblem const& problem) {
  if constexpr (kOfReference != nullptr) {
    if (Refusal refusal = kOfReference(problem)) return refusal;
  }
  return library::refuse_heuristic(problem, kNumber);
}

template <GemmTypes kTypes, int kNumber>
void launch(GemmArgs const& args) {
  GemmFullArgs full;
  static_cast<GemmArgs&>(full) = args;
  library::cublas_gemm(kTypes, full, kNumber);
}

template <GemmTypes kTypes, int kNumber, Accepts kOfReference = nullptr>
constexpr GemmKernel best(char const* summary, Arch arch = arch_at_least(8, 0)) {
  return {.summary = summary,
          .types = kTypes,
          .arch = arch,
          .library = &library::kCublas,
          .accepts = accepts<kNumber, kOfReference>,
          .workspace_bytes = library::cublas_workspace_bytes,
          .launch = launch<kTypes, kNumber>};
}

template <int kPoint>
constexpr GemmKernel kF32 =
    best<GemmTypes::f32, kPoint, library::refuse_overrides>("cuBLASLt, FP32, its fastest algorithm", any_arch());
template <int kPoint>
constexpr GemmKernel kTf32 =
    best<GemmTypes::tf32, kPoint, library::refuse_overrides>("cuBLASLt, TF32, its fastest algorithm");
template <int kPoint>
constexpr GemmKernel kF16 = best<GemmTypes::f16, kPoint>("cuBLASLt, FP16, its fastest algorithm", any_arch());
template <int kPoint>
constexpr GemmKernel kBf16 = best<GemmTypes::bf16, kPoint>("cuBLASLt, BF16, its fastest algorithm");
template <int kPoint>
constexpr GemmKernel kS8 =
    best<GemmTypes::s8_s32, kPoint, library::refuse_unaligned>("cuBLASLt, INT8, its fastest algorithm");
template <int kPoint>
constexpr GemmKernel kE4m3Tc14 = best<GemmTypes::e4m3_tc14_bf16, kPoint, library::refuse_unaligned>(
    "cuBLASLt, FP8 (E4M3) to BF16, fast accumulation, its fastest algorithm", arch_at_least(8, 9));

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(f32_best, kHeuristics, kF32);
PERFCHECK_TUNED_GEMM_KERNEL(tf32_best, kHeuristics, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(f16_best, kHeuristics, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(bf16_best, kHeuristics, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(s8_best, kHeuristics, kS8);
PERFCHECK_TUNED_GEMM_KERNEL(e4m3_tc14_best, kHeuristics, kE4m3Tc14);
