// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, TF32, FP16, BF16, FP8 (e4m3) or INT8, and FP16 or BF16 data
//                   to FP32.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              No kernel is the fastest on every problem. This one finds the nearest problem of its types that
//                   `perfcheck tune` measured on this device, and launches the kernel that was fastest there. If that
//                   kernel refuses (TMA needs aligned rows), it tries the next fastest. It takes kernels of this
//                   project only, never a library's.
// Previous step     All others of its types.
// Tile and threads  Those of the kernel it launches.
// Shared memory     Likewise.
// Intensity         Likewise.
// Expected          The speed of the fastest kernel of its types, as far as the nearest measured problem predicts which
//                   one that is.
// Requires          Nothing: the last kernel of each list below takes what all others refuse.
// Limits            A problem unlike all measured ones may get a kernel that is not the best for it: add it to the
//                   suite "tune" and tune again.
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/runs_here.h>

#include <string_view>

namespace {

using namespace perfcheck;

/// A kernel that chooses for its types. `without_measurements` names the kernels that it tries, in this order, where
/// nothing measured can be used.
template <GemmTypes kTypes, std::string_view const& kWithoutMeasurements>
struct Fastest {
  static GemmKernel const& choose(GemmProblem const& problem) {
    return fastest_kernel(kTunedProblems, present_device(), problem, kWithoutMeasurements, runs_here);
  }
  static std::size_t workspace_bytes(GemmProblem const& problem) {
    GemmKernel const& kernel = choose(problem);
    return kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
  }
  static void launch(GemmArgs const& args) {
    thread_local LastChoice last;
    launch_kernel(last.of(problem_of(args, kTypes), choose), args);
  }
  static constexpr GemmKernel kernel{.summary = "chooses among the others, from what was measured",
                                     .types = kTypes,
                                     .arch = any_arch(),
                                     .workspace_bytes = workspace_bytes,
                                     .launch = launch};
};

constexpr std::string_view kF32 = "gemm/simt/cp_async_pipeline gemm/simt/naive";
constexpr std::string_view kTf32 = "gemm/wgmma/cooperative_tf32 gemm/mma/combined_tf32 gemm/simt/naive_tf32";
constexpr std::string_view kF16 = "gemm/wgmma/cooperative_f16 gemm/mma/combined_f16 gemm/simt/naive_f16";
constexpr std::string_view kBf16 = "gemm/wgmma/cooperative_bf16 gemm/mma/combined_bf16 gemm/simt/naive_bf16";
constexpr std::string_view kS8 = "gemm/wgmma/cooperative_s8 gemm/mma/combined_s8 gemm/simt/naive_s8";
constexpr std::string_view kE4m3 = "gemm/wgmma/e4m3_promoted gemm/mma/through_f16_e4m3 gemm/simt/naive_e4m3";
constexpr std::string_view kE4m3Tc14 = "gemm/wgmma/e4m3_plain gemm/simt/naive_e4m3_tc14";
constexpr std::string_view kF16SumsInF16 = "gemm/wmma/combined_f16_f16 gemm/simt/naive_f16_f16";
constexpr std::string_view kF16ToF32 = "gemm/mma/combined_f16_f32 gemm/simt/naive_f16_f32_f32";
constexpr std::string_view kBf16ToF32 = "gemm/mma/combined_bf16_f32 gemm/simt/naive_bf16_f32_f32";

}  // namespace

PERFCHECK_GEMM_KERNEL(f32, Fastest<GemmTypes::f32, kF32>::kernel);
PERFCHECK_GEMM_KERNEL(tf32, Fastest<GemmTypes::tf32, kTf32>::kernel);
PERFCHECK_GEMM_KERNEL(f16, Fastest<GemmTypes::f16, kF16>::kernel);
PERFCHECK_GEMM_KERNEL(bf16, Fastest<GemmTypes::bf16, kBf16>::kernel);
PERFCHECK_GEMM_KERNEL(s8, Fastest<GemmTypes::s8_s32, kS8>::kernel);
PERFCHECK_GEMM_KERNEL(e4m3, Fastest<GemmTypes::e4m3_f32_bf16, kE4m3>::kernel);
PERFCHECK_GEMM_KERNEL(e4m3_tc14, Fastest<GemmTypes::e4m3_tc14_bf16, kE4m3Tc14>::kernel);
PERFCHECK_GEMM_KERNEL(f16_f16, Fastest<GemmTypes::f16_f16, kF16SumsInF16>::kernel);
PERFCHECK_GEMM_KERNEL(f16_f32_f32, Fastest<GemmTypes::f16_f32_f32, kF16ToF32>::kernel);
PERFCHECK_GEMM_KERNEL(bf16_f32_f32, Fastest<GemmTypes::bf16_f32_f32, kBf16ToF32>::kernel);
