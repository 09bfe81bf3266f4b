// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       copies of both inputs in front of the kernel, which then reads the copies.
// Base, slow  none; two.
// Seen by     other_nodes: a list of kernels holds no copies.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

/// Bytes from the first element to the last, rounded up so that the next matrix is aligned as inputs are.
std::size_t bytes_of(int rows, int columns, int64_t ld) {
  auto const elements = static_cast<std::size_t>((rows - 1) * ld + columns);
  return (elements * sizeof(float) + 255) / 256 * 256;
}

std::size_t workspace_bytes(GemmProblem const& problem) {
  return bytes_of(problem.m, problem.k, problem.lda) + bytes_of(problem.k, problem.n, problem.ldb);
}

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) memcpy_node(GemmArgs args) {
  __shared__ Tiles tiles;
  compute_tile<kWhole>(args, tiles, static_cast<int>(blockIdx.x));
}

/// Copies row by row, because the gaps between rows must not be read.
void const* copied(void const* matrix, std::byte* to, int rows, int columns, int64_t ld, Stream stream) {
  auto const pitch = static_cast<std::size_t>(ld) * sizeof(float);
  PERFCHECK_CUDA(cudaMemcpy2DAsync(to, pitch, matrix, pitch, static_cast<std::size_t>(columns) * sizeof(float),
                                   static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice, stream));
  return to;
}

void launch(GemmArgs const& args) {
  GemmArgs of_kernel = args;
  if (kSlow) {
    auto* const workspace = static_cast<std::byte*>(args.workspace);
    of_kernel.a = copied(args.a, workspace, args.m, args.k, args.lda, args.stream);
    of_kernel.b = copied(args.b, workspace + bytes_of(args.m, args.k, args.lda), args.k, args.n, args.ldb, args.stream);
  }
  launch_tiles(memcpy_node<true>, memcpy_node<false>, of_kernel);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(memcpy_node, .summary = "zoo: copies", .types = GemmTypes::f32, .accepts = refuse_column_major_b,
                      .workspace_bytes = workspace_bytes, .launch = launch);
