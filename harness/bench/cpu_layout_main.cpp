// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times one registered kernel of the CPU on small squares, for cpu_layout.py: the fastest round and the median one, in
// nanoseconds per launch.
#include <perfcheck/gemm.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

using namespace perfcheck;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kSize = 64;
constexpr auto kLength = std::chrono::milliseconds(40);

using Memory = std::unique_ptr<void, decltype(&std::free)>;

/// `bytes` aligned as a worker aligns them.
Memory memory(std::size_t bytes) { return {std::aligned_alloc(256, (bytes + 511) / 256 * 256), std::free}; }

Memory matrix(int modulus) {
  Memory place = memory(std::size_t{kSize} * kSize * sizeof(float));
  for (int i = 0; i < kSize * kSize; ++i) static_cast<float*>(place.get())[i] = static_cast<float>(i % modulus - 2);
  return place;
}

KernelInfo const* find(std::string_view name) {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    if (node->info().name == name) return &node->info();
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  KernelInfo const* const info = argc == 2 ? find(argv[1]) : nullptr;
  if (info == nullptr) {
    std::fprintf(stderr, "name one kernel of this program\n");
    return 64;
  }
  auto const& kernel = *static_cast<GemmKernel const*>(info->typed);
  GemmProblem const problem{.m = kSize, .n = kSize, .k = kSize, .lda = kSize, .ldb = kSize, .ldd = kSize};
  Memory const a = matrix(7), b = matrix(5), d = matrix(3);
  std::size_t const workspace_bytes = kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
  Memory const workspace = memory(workspace_bytes);
  GemmArgs const args{.m = kSize,
                      .n = kSize,
                      .k = kSize,
                      .a = a.get(),
                      .lda = kSize,
                      .b = b.get(),
                      .ldb = kSize,
                      .d = d.get(),
                      .ldd = kSize,
                      .workspace = workspace.get(),
                      .workspace_bytes = workspace_bytes};
  std::vector<double> times;
  for (auto const end = Clock::now() + kLength; Clock::now() < end || times.size() < 20;) {
    auto const start = Clock::now();
    launch_kernel(kernel, args);
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("%.1f %.1f\n", times.front(), times[times.size() / 2]);
}
