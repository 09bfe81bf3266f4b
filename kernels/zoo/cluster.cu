// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests.
// Trick       the size of clusters, a launch attribute. The blocks of a cluster start together, and each needs a place
//             in the same group of multiprocessors: an H100 has groups of 18, of which clusters of four leave two
//             unused.
// Base, slow  clusters of one block; of four.
// Seen by     attributes.
#include "zoo_gemm.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::zoo;

constexpr int kMostBlocks = 4;  // per cluster; grids are a multiple of it in both builds
/// So large that each block has a multiprocessor to itself, and every unused one costs time.
constexpr std::size_t kSharedBytes = 120 * 1024;

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 1) cluster(GemmArgs args) {
  extern __shared__ __align__(16) unsigned char memory[];
  int const tile = static_cast<int>(blockIdx.x);
  if (tile < tiles_of(args)) compute_tile<kWhole>(args, *reinterpret_cast<Tiles*>(memory), tile);
}

void launch(GemmArgs const& args) {
  static_assert(sizeof(Tiles) <= kSharedBytes);
  auto const kernel = has_whole_quads(args) ? cluster<true> : cluster<false>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int{kSharedBytes}));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = kSlow ? kMostBlocks : 1;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(tiles_to_cover(tiles_of(args), kMostBlocks) * kMostBlocks));
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = kSharedBytes;
  config.stream = args.stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  PERFCHECK_CUDA(cudaLaunchKernelEx(&config, kernel, args));
}

}  // namespace

PERFCHECK_GEMM_KERNEL(cluster, .summary = "zoo: the size of clusters", .types = GemmTypes::f32,
                      .arch = arch_at_least(9, 0), .accepts = refuse_column_major_b, .launch = launch);
