// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes   Row sums in FP32.
// Idea       A row is summed by the 32 threads of a warp, or by the 256 of a block; both read it in order.
// Limits     Four bytes per load. Rows shorter than the number of threads leave some of them idle.
#include "operation/row_sum.h"

#include <perfcheck/cuda_check.h>

namespace {

using row_sum::Args;

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

#ifndef ROW_SUM_EXTRA_PERCENT  // see README.md: extra work of `block_per_row`
#define ROW_SUM_EXTRA_PERCENT 0
#endif

__device__ float sum_of_warp(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) value += __shfl_down_sync(~0U, value, distance);
  return value;
}

__global__ void __launch_bounds__(kThreads) warp_per_row(Args args) {
  std::int64_t const row = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / kWarp;
  if (row >= args.rows) return;
  int const lane = threadIdx.x % kWarp;
  float const* const x = args.x + row * args.row_stride;

  float sum = 0;
  for (std::int64_t column = lane; column < args.columns; column += kWarp) sum += x[column];
  sum = sum_of_warp(sum);
  if (lane == 0) args.sums[row * args.sums_stride] = sum;
}

__global__ void __launch_bounds__(kThreads) block_per_row(Args args) {
  __shared__ float partial[kWarps];
  std::int64_t row = blockIdx.x;
  if (row >= args.rows) row -= args.rows;  // only in the build that is slower on purpose: sums the first rows again
  float const* const x = args.x + row * args.row_stride;
#ifdef ROW_SUM_WRONG  // see README.md: a mistake that shows only where the columns are no multiple of the threads
  std::int64_t const columns = args.columns / kThreads * kThreads;
#else
  std::int64_t const columns = args.columns;
#endif

  float sum = 0;
  for (std::int64_t column = threadIdx.x; column < columns; column += kThreads) sum += x[column];
  sum = sum_of_warp(sum);
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kWarps; ++warp) sum += partial[warp];
  args.sums[row * args.sums_stride] = sum;
}

void launch_warps(Args const& args) {
  auto const blocks = static_cast<unsigned>((args.rows + kWarps - 1) / kWarps);
  warp_per_row<<<blocks, kThreads, 0, args.stream>>>(args);
  PERFCHECK_CUDA(cudaGetLastError());
}

void launch_blocks(Args const& args) {
  auto const blocks = static_cast<unsigned>(args.rows + args.rows * ROW_SUM_EXTRA_PERCENT / 100);
  block_per_row<<<blocks, kThreads, 0, args.stream>>>(args);
  PERFCHECK_CUDA(cudaGetLastError());
}

}  // namespace

ROW_SUM_KERNEL(warp_per_row, .summary = "one warp sums a row", .reference = true, .launch = launch_warps);
ROW_SUM_KERNEL(block_per_row, .summary = "one block sums a row, through shared memory", .launch = launch_blocks);
