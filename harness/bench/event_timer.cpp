// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times GEMM kernels with nothing of the harness: plain buffers, plain launches on a stream, two CUDA events. It is
// what the harness's own figures are held against.
//
//   perfcheck_event_timer ROUNDS < IDS         IDS: a case per line, gemm/simt/vectorized@f32,nn,m2048n2048k2048
//
// Prints, for each case, its id, the median time of a launch in microseconds and the median ratio to cuBLAS, timed in
// turns. A case that this device or the kernel refuses is left out, and said to be on standard error.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/model/run.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace perfcheck;

constexpr double kRoundMs = 2;  // of launches between two events
constexpr int kMostLaunches = 200;

class Buffer {
 public:
  explicit Buffer(std::size_t bytes) { PERFCHECK_CUDA(cudaMalloc(&data_, std::max<std::size_t>(bytes, 1))); }
  ~Buffer() { (void)cudaFree(data_); }
  Buffer(Buffer const&) = delete;
  Buffer& operator=(Buffer const&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

GemmKernel const& kernel_called(std::string const& id, KernelInfo const** info) {
  for (KernelRegistration const* one = KernelRegistration::first(); one != nullptr; one = one->next()) {
    if (one->info().id() == id) {
      *info = &one->info();
      return *static_cast<GemmKernel const*>(one->info().typed);
    }
  }
  throw std::invalid_argument("no kernel is called " + id);
}

/// Uniform between -1 and 1: what a kernel draws depends on its data.
void fill(Buffer const& buffer, std::size_t elements, GemmTypes types, std::mt19937& random) {
  if (element_bytes(types) == 4) {
    std::vector<float> values(elements);
    for (float& value : values) value = static_cast<float>(random()) / 2147483648.0F - 1.0F;
    PERFCHECK_CUDA(cudaMemcpy(buffer.data(), values.data(), 4 * elements, cudaMemcpyHostToDevice));
    return;
  }
  // Sign, an exponent just below that of 1, and a random mantissa.
  bool const is_half = types == GemmTypes::f16;
  unsigned const below_one = is_half ? 14U << 10 : 126U << 7, mantissa = is_half ? 0x3FFU : 0x7FU;
  std::vector<std::uint16_t> values(elements);
  for (std::uint16_t& value : values) {
    unsigned const bits = static_cast<unsigned>(random());
    value = static_cast<std::uint16_t>((bits & 0x8000U) | below_one | ((bits >> 16) & mantissa));
  }
  PERFCHECK_CUDA(cudaMemcpy(buffer.data(), values.data(), 2 * elements, cudaMemcpyHostToDevice));
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

  /// Microseconds of one of as many launches as fill a round.
  double round() { return run(count_); }

 private:
  double run(int count) {
    PERFCHECK_CUDA(cudaEventRecord(begin_, args_.stream));
    for (int i = 0; i < count; ++i) kernel_.launch(args_);
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

double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string reference_of(GemmTypes types) {
  switch (types) {
    case GemmTypes::f32: return "gemm/library/cublas_f32";
    case GemmTypes::tf32: return "gemm/library/cublas_tf32";
    case GemmTypes::f16: return "gemm/library/cublas_f16";
    case GemmTypes::bf16: return "gemm/library/cublas_bf16";
  }
  throw std::logic_error("unknown types");
}

std::size_t workspace_of(GemmKernel const& kernel, GemmProblem const& problem) {
  return kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
}

void time_case(std::string const& id, int rounds, cudaStream_t stream) {
  std::size_t const at = id.find('@');
  if (at == std::string::npos) throw std::invalid_argument("a case is KERNEL@PROBLEM");
  GemmProblem const problem = parse_gemm_problem(id.substr(at + 1));
  KernelInfo const* info = nullptr;
  GemmKernel const& kernel = kernel_called(id.substr(0, at), &info);
  GemmKernel const& other = kernel_called(reference_of(problem.types), &info);
  if (kernel.accepts != nullptr) {
    if (auto const why = kernel.accepts(problem)) throw std::invalid_argument(*why);
  }
  auto const size = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  std::size_t const of_a = size(problem.m, problem.lda), of_d = size(problem.m, problem.ldd);
  std::size_t const of_b = size(problem.b_layout == BLayout::row_major ? problem.k : problem.n, problem.ldb);
  auto const bytes = static_cast<std::size_t>(element_bytes(problem.types));
  Buffer const a(bytes * of_a), b(bytes * of_b), d(bytes * of_d);
  std::mt19937 random(1);
  fill(a, of_a, problem.types, random);
  fill(b, of_b, problem.types, random);
  GemmArgs const args{.m = problem.m,
                      .n = problem.n,
                      .k = problem.k,
                      .a = a.data(),
                      .lda = problem.lda,
                      .b = b.data(),
                      .ldb = problem.ldb,
                      .b_layout = problem.b_layout,
                      .d = d.data(),
                      .ldd = problem.ldd,
                      .alpha = problem.alpha,
                      .beta = 0,
                      .stream = stream};
  Launches own(kernel, args, workspace_of(kernel, problem)), library(other, args, workspace_of(other, problem));
  std::vector<double> times, ratios;
  for (int i = 0; i < rounds; ++i) {
    times.push_back(own.round());
    ratios.push_back(times.back() / library.round());
  }
  std::printf("%s %.3f %.6f\n", id.c_str(), median(times), median(ratios));
  std::fflush(stdout);
}

/// Kernels with tuned parameters look them up by it.
std::string slug_of_device() {
  cudaDeviceProp properties{};
  PERFCHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  return model::slug_of(properties.name);
}

}  // namespace

int main(int argc, char** argv) {
  int const rounds = argc == 2 ? std::atoi(argv[1]) : 0;
  if (rounds < 1) {
    std::fprintf(stderr, "usage: perfcheck_event_timer ROUNDS < IDS\n");
    return 64;
  }
  try {
    present_device() = slug_of_device();
    cudaStream_t stream = nullptr;
    PERFCHECK_CUDA(cudaStreamCreate(&stream));
    for (std::string id; std::getline(std::cin, id);) {
      try {
        time_case(id, rounds, stream);
      } catch (std::invalid_argument const& why) {
        std::fprintf(stderr, "%s: left out: %s\n", id.c_str(), why.what());
      }
    }
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "perfcheck_event_timer: %s\n", error.what());
    return 2;
  }
}
