// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches GEMM kernels many times and compares each result with the first of the same inputs, bit by bit, on the
// device. Races between copies and products that show once in thousands of launches show here.
//
//   perfcheck_soak LAUNCHES KERNELS PROBLEM...      20000 gemm/wgmma/ f16.f32,nt,m1024n1024k1024
//
// KERNELS is the beginning of their ids. Each of them whose types a problem has is launched LAUNCHES times, over
// sixteen inputs in a cycle. Says for each how many results differed, and exits with 1 if any did; 2 if none was
// launched or one failed.
#include "plain_device.h"
#include "random_inputs.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

using namespace perfcheck;

constexpr int kInputs = 16;
constexpr int kBlocks = 264, kThreads = 256;

__global__ void compare(uint4 const* found, uint4 const* expected, std::size_t count, int* differ) {
  bool different = false;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    uint4 const x = found[i], y = expected[i];
    different |= x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w;
  }
  if (different) *differ = 1;
}

__global__ void count_and_clear(int* differ, int* launches) {
  *launches += *differ;
  *differ = 0;
}

/// A problem's inputs and the first results of one kernel.
class Soak {
 public:
  Soak(GemmKernel const& kernel, GemmProblem const& problem)
      : kernel_(kernel),
        inputs_(problem, kInputs),
        d_(inputs_.d_bytes()),
        expected_(kInputs * d_),
        found_(d_),
        workspace_(kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem)),
        counters_(2 * sizeof(int)) {
    PERFCHECK_CUDA(cudaMemset(counters_.data(), 0, counters_.bytes()));
    PERFCHECK_CUDA(cudaMemset(expected_.data(), 0, expected_.bytes()));
    for (int input = 0; input < kInputs; ++input) launch(input, at(expected_, input * d_));
    compare_with(at(expected_, d_), 0);
    if (read(0) == 0) throw std::runtime_error("two inputs have the same result: nothing was multiplied");
    PERFCHECK_CUDA(cudaMemset(counters_.data(), 0, counters_.bytes()));
  }

  /// How many of `launches` results differ from the first.
  int run(int launches) {
    for (int i = 0; i < launches; ++i) {
      int const input = i % kInputs;
      PERFCHECK_CUDA(cudaMemsetAsync(found_.data(), 0, found_.bytes(), nullptr));
      launch(input, found_.data());
      compare_with(found_.data(), input);
      count_and_clear<<<1, 1>>>(counter(0), counter(1));
      PERFCHECK_CUDA(cudaGetLastError());
    }
    return read(1);
  }

 private:
  static void* at(Buffer const& buffer, std::size_t offset) {
    return static_cast<unsigned char*>(buffer.data()) + offset;
  }

  /// Whether the last results differ, and how many results did.
  int* counter(int number) const { return static_cast<int*>(counters_.data()) + number; }
  int read(int number) const {
    int value = 0;
    PERFCHECK_CUDA(cudaMemcpy(&value, counter(number), sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }

  void compare_with(void const* found, int input) const {
    compare<<<kBlocks, kThreads>>>(static_cast<uint4 const*>(found),
                                   static_cast<uint4 const*>(at(expected_, input * d_)), d_ / 16, counter(0));
    PERFCHECK_CUDA(cudaGetLastError());
  }

  void launch(int input, void* d) const {
    GemmFullArgs args = inputs_.args(input, d);
    args.workspace = workspace_.data();
    args.workspace_bytes = workspace_.bytes();
    launch_kernel(kernel_, args);
  }

  GemmKernel const& kernel_;
  RandomInputs inputs_;
  std::size_t d_;  // bytes
  Buffer expected_, found_, workspace_, counters_;
};

int soak(int launches, std::string const& kernels, std::string const& text) {
  GemmProblem const problem = parse_gemm_problem(text);
  int failed = 0, soaked = 0;
  for (KernelRegistration const* one = KernelRegistration::first(); one != nullptr; one = one->next()) {
    auto const& kernel = *static_cast<GemmKernel const*>(one->info().typed);
    std::string const id = one->info().id();
    if (!id.starts_with(kernels) || !kernel.deterministic || !takes(kernel, problem)) continue;
    int const different = Soak(kernel, problem).run(launches);
    std::printf("%s@%s: %d of %d results differ\n", id.c_str(), text.c_str(), different, launches);
    std::fflush(stdout);
    ++soaked;
    if (different != 0) ++failed;
  }
  if (soaked == 0) throw std::invalid_argument("no kernel whose id begins with " + kernels + " takes " + text);
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  int const launches = argc < 4 ? 0 : std::atoi(argv[1]);
  if (launches <= 0) {
    std::fprintf(stderr, "usage: perfcheck_soak LAUNCHES KERNELS PROBLEM...\n");
    return 64;
  }
  try {
    present_device() = slug_of_device();
    int failed = 0;
    for (int i = 3; i < argc; ++i) failed += soak(launches, argv[2], argv[i]);
    return failed == 0 ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "perfcheck_soak: %s\n", error.what());
    return 2;
  }
}
