// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, one thread per element of D.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              Neighbouring threads take neighbouring columns, so a warp's reads of row-major B and its writes of
//                   D are contiguous.
// Previous step     naive: threadIdx.x and threadIdx.y are swapped.
// Tile and threads  Block 32 x 32 of D, 32 x 32 threads, one element per thread.
// Shared memory     None.
// Intensity         0.25 FLOP per byte requested, as in naive. A warp's read of B takes one line of 128 bytes, and its
//                   read of A one element for all lanes: 64 FLOP for two lookups in the L1 cache.
// Expected          The L1 cache, at one line per cycle: at most 32 FLOP per cycle and SM, 8.4 TFLOP/s.
// Requires          Nothing: any CUDA device, any size, any alignment.
// Limits            Every multiply-add waits for two reads that go through the L1 cache. Column-major B is read with a
//                   stride of ldb between the threads of a warp.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile* kTile) coalesced(GemmArgs args) {
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int64_t const row = static_cast<int64_t>(blockIdx.x / tiles_n) * kTile + threadIdx.y;
  int64_t const column = static_cast<int64_t>(blockIdx.x % tiles_n) * kTile + threadIdx.x;
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
  coalesced<<<tiles_m * tiles_n, dim3(kTile, kTile), 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(coalesced, .summary = "one thread per element of D, neighbours along n", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
