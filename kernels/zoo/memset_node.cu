// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       a memset of scratch memory in front of the kernel, which does not need it.
// Base, slow  none; 64 MiB.
// Seen by     other_nodes: a list of kernels holds no memsets.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

std::size_t workspace_bytes(GemmProblem const&) { return std::size_t{64} << 20; }

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) memset_node(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile<kWhole>(args, tiles, static_cast<int>(blockIdx.x));
}

void launch(GemmArgs const& args) {
  if (kSlow) PERFCHECK_CUDA(cudaMemsetAsync(args.workspace, 0, args.workspace_bytes, args.stream));
  launch_tiles(memset_node<true>, memset_node<false>, args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(memset_node, .summary = "zoo: a memset", .types = GemmTypes::f32,
                      .accepts = refuse_column_major_b, .workspace_bytes = workspace_bytes, .launch = launch);
