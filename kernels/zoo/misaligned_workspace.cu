// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       where in the workspace a copy of B lies. The kernel reads quads where they are aligned to 16 bytes, else
//             single elements.
// Base, slow  at its beginning; 4 bytes behind.
// Seen by     arguments: the alignment of an address counts, the address itself does not.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

constexpr std::size_t kGap = 256;

std::size_t workspace_bytes(GemmProblem const& problem) {
  return kGap + sizeof(float) * static_cast<std::size_t>(problem.k) * static_cast<std::size_t>(problem.n);
}

__global__ void __launch_bounds__(kThreads) pack_b(GemmArgs args, float* packed) {
  int const column = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  int const row = static_cast<int>(blockIdx.y);
  if (column < args.n) {
    packed[int64_t{row} * args.n + column] = static_cast<float const*>(args.b)[int64_t{row} * args.ldb + column];
  }
}

__global__ void __launch_bounds__(kThreads, 2) misaligned_workspace(GemmArgs args, bool has_quads) {
  __shared__ Tiles tiles;
  int const tile = static_cast<int>(blockIdx.x);
  if (has_quads && reinterpret_cast<std::uintptr_t>(args.b) % 16 == 0) {
    compute_tile<true>(args, tiles, tile);
  } else {
    compute_tile<false>(args, tiles, tile);
  }
}

Refusal accepts(GemmProblem const& problem) {
  constexpr int kMostRows = 65535;  // most blocks that a grid may have in y
  if (problem.k > kMostRows) return "copies B with a row of blocks for each of at most 65535 rows";
  return refuse_column_major_b(problem);
}

void launch(GemmArgs const& args) {
  auto* const packed = static_cast<float*>(args.workspace) + (kSlow ? 1 : 0);
  dim3 const grid(static_cast<unsigned>(tiles_to_cover(args.n, kThreads)), static_cast<unsigned>(args.k));
  pack_b<<<grid, kThreads, 0, args.stream>>>(args, packed);
  GemmArgs of_kernel = args;
  of_kernel.b = packed;
  of_kernel.ldb = args.n;
  misaligned_workspace<<<tiles_of(args), kThreads, 0, args.stream>>>(of_kernel, has_whole_quads(of_kernel));
}

}  // namespace

PERFCHECK_GEMM_KERNEL(misaligned_workspace, .summary = "zoo: a workspace that is not aligned", .types = GemmTypes::f32,
                      .accepts = accepts, .workspace_bytes = workspace_bytes, .launch = launch);
