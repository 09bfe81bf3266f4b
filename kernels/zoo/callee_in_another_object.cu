// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       a device function of another object file, linked by nvlink: the kernel's own code holds a call, whatever
//             the function does. It returns the length of the parts in which k is summed up.
// Base, slow  all of k at once; 128 at a time.
// Seen by     called_code.
#include "callee.cuh"

#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) callee_in_another_object(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile_in_parts<kWhole>(args, tiles, static_cast<int>(blockIdx.x), length_of_parts(args.k));
}

void launch(GemmArgs const& args) {
  launch_tiles(callee_in_another_object<true>, callee_in_another_object<false>, args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(callee_in_another_object, .summary = "zoo: a function of another object file",
                      .types = GemmTypes::f32, .accepts = refuse_column_major_b, .launch = launch);
