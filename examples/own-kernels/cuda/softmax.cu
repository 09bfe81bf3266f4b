// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes   Softmax of rows of FP32 or FP16, with sums in FP32.
// Idea       The threads of a warp, or of a block, share a row. Each keeps its own maximum, and a sum scaled to that
//            maximum; they are joined at the end (Milakov and Gimelshein, "Online normalizer calculation for softmax",
//            2018). So x is read twice.
// Limits     One element per load. Rows that fit into shared memory could be read once.
#include "operation/softmax.h"

#include <perfcheck/cuda_check.h>

#include <cuda_fp16.h>

namespace {

using softmax::Args;

constexpr int kWarp = 32;

__device__ float number(float x) { return x; }
__device__ float number(__half x) { return __half2float(x); }
__device__ void store(float* y, float value) { *y = value; }
__device__ void store(__half* y, float value) { *y = __float2half_rn(value); }

/// Maximum of some elements, and their sum relative to it: sum = exp(x[0] - most) + ...
struct Norm {
  float most = -INFINITY, sum = 0;
};

__device__ Norm join(Norm const& a, Norm const& b) {
  float const most = fmaxf(a.most, b.most);
  // Without elements, or with -infinity only, the maximum is -infinity, and there is nothing to add.
  float const of_a = a.most == -INFINITY ? 0 : a.sum * __expf(a.most - most);
  float const of_b = b.most == -INFINITY ? 0 : b.sum * __expf(b.most - most);
  // fmaxf() drops NaN, but the sum keeps it.
  return {most, of_a + of_b + (a.sum != a.sum ? a.sum : 0) + (b.sum != b.sum ? b.sum : 0)};
}

template <int kThreads>
__device__ Norm norm_of_row(Norm norm) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    norm = join(norm, {__shfl_xor_sync(~0U, norm.most, distance), __shfl_xor_sync(~0U, norm.sum, distance)});
  }
  if constexpr (kThreads == kWarp) return norm;
  __shared__ Norm norms[kThreads / kWarp];
  if (threadIdx.x % kWarp == 0) norms[threadIdx.x / kWarp] = norm;
  __syncthreads();
  norm = norms[0];
  for (int warp = 1; warp < kThreads / kWarp; ++warp) norm = join(norm, norms[warp]);
  return norm;
}

template <class Number, int kThreads>
__global__ void __launch_bounds__(kThreads) softmax_of_rows(Args args) {
  auto const* const x = static_cast<Number const*>(args.x) + blockIdx.x * args.x_stride;
  auto* const y = static_cast<Number*>(args.y) + blockIdx.x * args.y_stride;
  Norm norm;
  for (std::int64_t i = threadIdx.x; i < args.columns; i += kThreads) {
    float const value = number(x[i]);
    if (value == -INFINITY) continue;  // adds nothing; -infinity minus a maximum of -infinity would be NaN
    norm = value <= norm.most ? Norm{norm.most, norm.sum + __expf(value - norm.most)} : join(norm, {value, 1});
  }
  norm = norm_of_row<kThreads>(norm);
  for (std::int64_t i = threadIdx.x; i < args.columns; i += kThreads) {
    store(y + i, __expf(number(x[i]) - norm.most) / norm.sum);
  }
}

template <class Number, int kThreads>
void launch(Args const& args) {
  softmax_of_rows<Number, kThreads><<<static_cast<unsigned>(args.rows), kThreads, 0, args.stream>>>(args);
  PERFCHECK_CUDA(cudaGetLastError());
}

}  // namespace

using perfcheck::Element;

SOFTMAX_KERNEL(warp_per_row, .summary = "one warp takes a row", .reference = true, .launch = launch<float, kWarp>);
SOFTMAX_KERNEL(block_per_row, .summary = "one block takes a row", .launch = launch<float, 256>);
SOFTMAX_KERNEL(warp_per_row_f16, .summary = "one warp takes a row of FP16", .element = Element::f16, .reference = true,
               .launch = launch<__half, kWarp>);
SOFTMAX_KERNEL(block_per_row_f16, .summary = "one block takes a row of FP16", .element = Element::f16,
               .launch = launch<__half, 256>);
