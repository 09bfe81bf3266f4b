// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, one thread per element of D.
// Idea              The shortest kernel that is right for every size and layout: what another project starts from.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>

namespace {

using namespace perfcheck;

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) thread_per_element(GemmArgs args) {
  int64_t const index = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (index >= static_cast<int64_t>(args.m) * args.n) return;

  int64_t const row = index / args.n;
  int64_t const column = index % args.n;
  bool const column_major = args.b_layout == BLayout::column_major;
  float const* const a = static_cast<float const*>(args.a) + row * args.lda;
  float const* const b = static_cast<float const*>(args.b) + (column_major ? column * args.ldb : column);
  int64_t const b_k_stride = column_major ? 1 : args.ldb;

  float sum = 0.0F;
  for (int k = 0; k < args.k; ++k) {
    sum = fmaf(a[k], b[k * b_k_stride], sum);
  }
  int64_t const at = row * args.ldd + column;
  float const scaled = args.alpha * sum;
  static_cast<float*>(args.d)[at] =
      args.beta == 0.0F ? scaled : fmaf(args.beta, static_cast<float const*>(args.c)[at], scaled);
}

void launch(GemmArgs const& args) {
  int64_t const elements = static_cast<int64_t>(args.m) * args.n;
  auto const blocks = static_cast<unsigned>((elements - 1) / kThreads + 1);
  thread_per_element<<<blocks, kThreads, 0, args.stream>>>(args);
  PERFCHECK_CUDA(cudaGetLastError());
}

}  // namespace

PERFCHECK_GEMM_KERNEL(thread_per_element, .summary = "one thread per element of D", .types = GemmTypes::f32,
                      .launch = launch);
