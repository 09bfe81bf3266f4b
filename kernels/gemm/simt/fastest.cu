// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              No kernel is the fastest on every problem. This one finds the nearest problem that `perfcheck tune`
//                   measured on this device, and launches the kernel that was fastest there. If that kernel refuses
//                   (TMA needs aligned rows), it tries the next fastest.
// Previous step     All others of this folder.
// Tile and threads  Those of the kernel it launches.
// Shared memory     Likewise.
// Intensity         Likewise.
// Expected          The speed of the fastest kernel of the folder, as far as the nearest measured problem predicts
//                   which one that is.
// Requires          Nothing: cp_async_pipeline takes what others refuse, and naive what cp_async_pipeline refuses.
// Limits            A problem unlike all measured ones may get a kernel that is not the best for it: add it to the
//                   suite "tune" and tune again.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm_tuning.h>

#include <stdexcept>
#include <string_view>

namespace {

using namespace perfcheck;

/// Tried in this order when nothing measured can be used.
constexpr std::string_view kWithoutMeasurements = "gemm/simt/cp_async_pipeline gemm/simt/naive";

KernelInfo const* find_kernel(std::string_view id) {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    if (node->info().id() == id) return &node->info();
  }
  return nullptr;
}

/// Whether kernels for `arch` run on the current device.
bool runs_here(Arch const& arch) {
  int device = 0;
  int major = 0;
  int minor = 0;
  PERFCHECK_CUDA(cudaGetDevice(&device));
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  int const present = major * 10 + minor;
  int const wanted = arch.major * 10 + arch.minor;
  return arch.exact ? present == wanted : present >= wanted;
}

/// The first kernel of a ranking that takes the problem; null when none does.
GemmKernel const* first_willing(std::string_view ranking, GemmProblem const& problem) {
  for (RankedKernel ranked = next_ranked(ranking); !ranked.id.empty(); ranked = next_ranked(ranking)) {
    KernelInfo const* const info = find_kernel(ranked.id);
    if (info == nullptr || !runs_here(info->arch)) continue;
    auto const* const kernel = static_cast<GemmKernel const*>(info->typed);
    if (kernel->accepts == nullptr || !kernel->accepts(problem)) return kernel;
  }
  return nullptr;
}

GemmKernel const& choose(GemmProblem const& problem) {
  TunedProblem const* const nearest = nearest_tuned(kTunedProblems, present_device(), problem, {});
  GemmKernel const* kernel = nearest == nullptr ? nullptr : first_willing(nearest->ranking, problem);
  if (kernel == nullptr) kernel = first_willing(kWithoutMeasurements, problem);
  if (kernel == nullptr) throw std::logic_error("gemm/simt/fastest: this program holds none of the kernels it chooses");
  return *kernel;
}

std::size_t workspace_bytes(GemmProblem const& problem) {
  GemmKernel const& kernel = choose(problem);
  return kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
}

void launch(GemmArgs const& args) {
  thread_local LastChoice last;
  last.of(problem_of(args, GemmTypes::f32), choose).launch(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(fastest, .summary = "chooses among the others, from what was measured", .types = GemmTypes::f32,
                      .arch = any_arch(), .workspace_bytes = workspace_bytes, .launch = launch);
