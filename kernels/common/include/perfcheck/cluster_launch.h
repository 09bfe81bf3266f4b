// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches of kernels that keep much shared memory, perhaps in clusters of blocks.
#pragma once

#include <cuda_runtime.h>
#include <perfcheck/cuda_check.h>
#include <perfcheck/kernel.h>

namespace perfcheck {

/// The sizes of a launch of one dimension.
struct ClusterLaunch {
  int blocks = 1;
  int cluster = 1;  ///< blocks that form a cluster; divides `blocks`
  int threads = 1;  ///< per block
  int shared_bytes = 0;
};

/// Launches `kernel` on `stream`. Throws what PERFCHECK_CUDA throws.
template <class... Parameters>
void launch_clusters(void (*kernel)(Parameters...), ClusterLaunch const& launch, Stream stream,
                     Parameters... parameters) {
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, launch.shared_bytes));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {.x = static_cast<unsigned>(launch.cluster), .y = 1, .z = 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  config.blockDim = dim3(static_cast<unsigned>(launch.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(launch.shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = launch.cluster > 1 ? 1 : 0;
  PERFCHECK_CUDA(cudaLaunchKernelEx(&config, kernel, parameters...));
}

}  // namespace perfcheck
