// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       the order of two kernels: each computes half of D.
// Base, slow  side by side, so that the second kernel's blocks fill the multiprocessors that the first one's last
//             blocks leave idle; one after the other, so that each of them ends with idle multiprocessors.
// Seen by     graph: a list of kernels does not show what each one waits for.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) side_by_side(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile<kWhole>(args, tiles, static_cast<int>(blockIdx.x));
}

/// Made by the first launch, which is not recorded, and kept until the process ends. The slow build has one, too.
struct Second {
  cudaStream_t stream = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  Second() {
    PERFCHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    PERFCHECK_CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    PERFCHECK_CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
};

/// Rows `first` to `last` - 1 of a problem, as a problem of its own.
GemmArgs rows_of(GemmArgs args, int first, int last) {
  args.a = static_cast<float const*>(args.a) + first * args.lda;
  if (args.c != nullptr) args.c = static_cast<float const*>(args.c) + first * args.ldd;
  args.d = static_cast<float*>(args.d) + first * args.ldd;
  args.m = last - first;
  return args;
}

void launch_half(GemmArgs const& args) { launch_tiles(side_by_side<true>, side_by_side<false>, args); }

void launch(GemmArgs const& args) {
  static Second const second;
  int const half = tiles_to_cover(tiles_to_cover(args.m, kTile), 2) * kTile;
  if (half >= args.m) return launch_half(args);
  GemmArgs lower = rows_of(args, half, args.m);
  if (!kSlow) {
    PERFCHECK_CUDA(cudaEventRecord(second.fork, args.stream));
    PERFCHECK_CUDA(cudaStreamWaitEvent(second.stream, second.fork, 0));
    lower.stream = second.stream;
  }
  launch_half(rows_of(args, 0, half));
  launch_half(lower);
  if (!kSlow) {
    PERFCHECK_CUDA(cudaEventRecord(second.join, second.stream));
    PERFCHECK_CUDA(cudaStreamWaitEvent(args.stream, second.join, 0));
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(side_by_side, .summary = "zoo: two kernels in another order", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
