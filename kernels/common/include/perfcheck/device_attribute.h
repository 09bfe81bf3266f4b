// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel's host code asks about the present device.
#pragma once

#include <cuda_runtime_api.h>
#include <perfcheck/cuda_check.h>

namespace perfcheck {

/// An attribute of the present device. Throws what PERFCHECK_CUDA throws.
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  PERFCHECK_CUDA(cudaGetDevice(&device));
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// Multiprocessors of the present device.
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }

/// Bytes of shared memory that a block may have on the present device.
inline int most_shared_bytes() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin); }

}  // namespace perfcheck
