// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times GEMM kernels without the harness: plain buffers, plain launches on a stream, two CUDA events. The harness's
// figures are checked against it.
//
//   perfcheck_event_timer < IDS         IDS: a case per line, gemm/simt/vectorized@f32,nn,m2048n2048k2048
//
// Answers each line at once with the time per launch in microseconds, taken from as many launches as fill two
// milliseconds, or with the reason why the device or the kernel refuses the case. A repeated case reuses its buffers,
// so that compare_builds.py can ask two builds alternately.
#include "plain_device.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace perfcheck;

constexpr double kRoundMs = 2;  // duration of the launches between two events
constexpr int kMostLaunches = 200;

GemmKernel const& kernel_called(std::string const& id) {
  for (KernelRegistration const* one = KernelRegistration::first(); one != nullptr; one = one->next()) {
    if (one->info().id() == id) return *static_cast<GemmKernel const*>(one->info().typed);
  }
  throw std::invalid_argument("no kernel is called " + id);
}

/// Uniform between -1 and 1, since a kernel's power draw depends on its data.
void fill(Buffer const& buffer, GemmTypes types, std::mt19937& random) {
  if (format_of(types.a).bits == 32) {
    std::vector<float> values(buffer.bytes() / 4);
    for (float& value : values) value = static_cast<float>(random()) / 2147483648.0F - 1.0F;
    PERFCHECK_CUDA(cudaMemcpy(buffer.data(), values.data(), 4 * values.size(), cudaMemcpyHostToDevice));
    return;
  }
  // Sign, an exponent just below that of 1, and a random mantissa.
  bool const is_half = types == GemmTypes::f16;
  unsigned const below_one = is_half ? 14U << 10 : 126U << 7, mantissa = is_half ? 0x3FFU : 0x7FU;
  std::vector<std::uint16_t> values(buffer.bytes() / 2);
  for (std::uint16_t& value : values) {
    unsigned const bits = static_cast<unsigned>(random());
    value = static_cast<std::uint16_t>((bits & 0x8000U) | below_one | ((bits >> 16) & mantissa));
  }
  PERFCHECK_CUDA(cudaMemcpy(buffer.data(), values.data(), 2 * values.size(), cudaMemcpyHostToDevice));
}

class Launches {
 public:
  Launches(GemmKernel const& kernel, GemmArgs const& args, std::size_t workspace)
      : kernel_(kernel), args_(args), workspace_(workspace) {
    args_.workspace = workspace_.data();
    args_.workspace_bytes = workspace;
    PERFCHECK_CUDA(cudaEventCreate(&begin_));
    PERFCHECK_CUDA(cudaEventCreate(&end_));
    for (int i = 0; i < 3; ++i) run(1);
    count_ = static_cast<int>(std::clamp<double>(kRoundMs * 1000 / run(1), 1, kMostLaunches));
  }
  ~Launches() {
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
  }
  Launches(Launches const&) = delete;
  Launches& operator=(Launches const&) = delete;

  /// Microseconds per launch, from as many launches as fill a round.
  double round() { return run(count_); }

 private:
  double run(int count) {
    PERFCHECK_CUDA(cudaEventRecord(begin_, args_.stream));
    for (int i = 0; i < count; ++i) launch_kernel(kernel_, args_);
    PERFCHECK_CUDA(cudaEventRecord(end_, args_.stream));
    PERFCHECK_CUDA(cudaEventSynchronize(end_));
    float ms = 0;
    PERFCHECK_CUDA(cudaEventElapsedTime(&ms, begin_, end_));
    return 1000.0 * ms / count;
  }

  GemmKernel const& kernel_;
  GemmArgs args_;
  Buffer workspace_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  int count_ = 1;
};

std::size_t workspace_of(GemmKernel const& kernel, GemmProblem const& problem) {
  if (kernel.accepts != nullptr) {
    if (auto const why = kernel.accepts(problem)) throw std::invalid_argument(*why);
  }
  return kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
}

/// A case with its buffers.
class Case {
 public:
  Case(std::string const& id, cudaStream_t stream)
      : Case(kernel_called(id.substr(0, id.find('@'))), problem_of(id), stream) {}

  double round() { return launches_.round(); }

 private:
  Case(GemmKernel const& kernel, GemmProblem const& problem, cudaStream_t stream)
      : a_(bytes(problem, problem.m, problem.lda)),
        b_(bytes(problem, problem.b_layout == BLayout::row_major ? problem.k : problem.n, problem.ldb)),
        d_(bytes(problem, problem.m, problem.ldd)),
        launches_(kernel, filled(problem, stream), workspace_of(kernel, problem)) {}

  static GemmProblem problem_of(std::string const& id) {
    std::size_t const at = id.find('@');
    if (at == std::string::npos) throw std::invalid_argument("a case is KERNEL@PROBLEM");
    return parse_gemm_problem(id.substr(at + 1));
  }

  static std::size_t bytes(GemmProblem const& problem, int rows, int columns) {
    return static_cast<std::size_t>(format_of(problem.types.a).bits / 8) * static_cast<std::size_t>(rows) *
           static_cast<std::size_t>(columns);
  }

  GemmArgs filled(GemmProblem const& problem, cudaStream_t stream) const {
    std::mt19937 random(1);
    fill(a_, problem.types, random);
    fill(b_, problem.types, random);
    return {.m = problem.m,
            .n = problem.n,
            .k = problem.k,
            .a = a_.data(),
            .lda = problem.lda,
            .b = b_.data(),
            .ldb = problem.ldb,
            .b_layout = problem.b_layout,
            .d = d_.data(),
            .ldd = problem.ldd,
            .alpha = problem.alpha,
            .beta = 0,
            .stream = stream};
  }

  Buffer a_, b_, d_;
  Launches launches_;
};

}  // namespace

int main(int argc, char**) {
  if (argc != 1) {
    std::fprintf(stderr, "usage: perfcheck_event_timer < IDS, a case per line\n");
    return 64;
  }
  try {
    present_device() = slug_of_device();
    cudaStream_t stream = nullptr;
    PERFCHECK_CUDA(cudaStreamCreate(&stream));
    std::optional<Case> one;
    std::string last;
    for (std::string id; std::getline(std::cin, id);) {
      try {
        if (id != last) {
          one.reset();
          last.clear();
          one.emplace(id, stream);
          last = id;
        }
        std::printf("%.4f\n", one->round());
      } catch (std::invalid_argument const& why) {
        std::printf("refused: %s\n", why.what());
      }
      std::fflush(stdout);
    }
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "perfcheck_event_timer: %s\n", error.what());
    return 2;
  }
}
