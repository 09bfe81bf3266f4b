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
  /// Whether blocks may start before the kernel in front has ended, as soon as all of its blocks have called
  /// ptx::launch_dependents() or ended ("programmatic dependent launch"; compute capability 9.0). Kernels call
  /// ptx::wait_for_launches_before() before they touch global memory.
  bool dependent = false;
};

/// Launches `kernel` on `stream`. Throws what PERFCHECK_CUDA throws.
template <class... Parameters>
void launch_clusters(void (*kernel)(Parameters...), ClusterLaunch const& launch, Stream stream,
                     Parameters... parameters) {
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, launch.shared_bytes));
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (launch.cluster > 1) {
    cudaLaunchAttribute& attribute = attributes[count++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {.x = static_cast<unsigned>(launch.cluster), .y = 1, .z = 1};
  }
  if (launch.dependent) {
    cudaLaunchAttribute& attribute = attributes[count++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(launch.blocks));
  config.blockDim = dim3(static_cast<unsigned>(launch.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(launch.shared_bytes);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  PERFCHECK_CUDA(cudaLaunchKernelEx(&config, kernel, parameters...));
}

}  // namespace perfcheck
