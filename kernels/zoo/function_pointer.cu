// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       a pointer to a device function in a `__device__` variable. Both builds hold both functions.
// Base, slow  it points to the one that sums up all of k at once; to the one that does so 128 at a time.
// Seen by     constants: the file says which function's address the variable gets.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

__device__ __noinline__ int at_once(int k) { return (k + kTileK - 1) / kTileK * kTileK; }
__device__ __noinline__ int in_parts(int k) { return k < 128 ? kTileK : 128; }

using LengthOfParts = int (*)(int k);
__device__ LengthOfParts length_of_parts = kSlow ? in_parts : at_once;
// Both are pointed to in both builds, so that both builds hold the same code.
__device__ LengthOfParts all_functions[] = {at_once, in_parts};

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) function_pointer(GemmArgs args) {
  __shared__ Tiles tiles;
  LengthOfParts const length = args.k < 0 ? all_functions[threadIdx.x % 2] : length_of_parts;
  compute_tile_in_parts<kWhole>(args, tiles, static_cast<int>(blockIdx.x), length(args.k));
}

void launch(GemmArgs const& args) { launch_tiles(function_pointer<true>, function_pointer<false>, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(function_pointer, .summary = "zoo: a pointer to a function", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .launch = launch);
