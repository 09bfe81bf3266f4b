// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, one thread per element of D.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              One thread computes one element of D by the formula. Neighbouring threads take neighbouring rows,
//                   as if D were column-major: the mistake that coalesced corrects.
// Previous step     None: the first step of the ladder, and the baseline for "speed-up over naive".
// Tile and threads  Block 32 x 32 of D, 32 x 32 threads, one element per thread.
// Shared memory     None.
// Intensity         Two floats are read per multiply-add: 0.25 FLOP per byte requested. But the 32 floats of A that a
//                   warp requests lie in 32 rows, and each of them fetches a 32-byte sector of its own.
// Expected          The L1 cache looks up one line per cycle, so a warp's read of A takes 32 cycles for 64 FLOP: at
//                   most 2 FLOP per cycle and SM, 0.5 TFLOP/s.
// Requires          Nothing: any CUDA device, any size, any alignment.
// Limits            Writes of D, and reads of C, are scattered over rows as well. The layout of B makes no difference:
//                   in either, a warp needs one element of B at a time.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile* kTile) naive(GemmArgs args) {
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int64_t const row = static_cast<int64_t>(blockIdx.x / tiles_n) * kTile + threadIdx.x;
  int64_t const column = static_cast<int64_t>(blockIdx.x % tiles_n) * kTile + threadIdx.y;
  bool const column_major = args.b_layout == BLayout::column_major;
  int64_t const b_k_stride = column_major ? 1 : args.ldb;
  int64_t const b_column_stride = column_major ? args.ldb : 1;

  if (row >= args.m || column >= args.n) return;

  float const* a = static_cast<float const*>(args.a) + row * args.lda;
  float const* b = static_cast<float const*>(args.b) + column * b_column_stride;
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
  int const tiles_m = tiles_to_cover(args.m, kTile);
  int const tiles_n = tiles_to_cover(args.n, kTile);
  naive<<<tiles_m * tiles_n, dim3(kTile, kTile), 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(naive, .summary = "one thread per element of D, neighbours along m", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
