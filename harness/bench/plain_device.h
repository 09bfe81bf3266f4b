// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What programs need of a device that launch kernels without the harness.
#pragma once

#include <perfcheck/cuda_check.h>
#include <perfcheck/model/run.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace perfcheck {

/// Device memory.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {
    PERFCHECK_CUDA(cudaMalloc(&data_, std::max<std::size_t>(bytes, 1)));
  }
  ~Buffer() { (void)cudaFree(data_); }
  Buffer(Buffer const&) = delete;
  Buffer& operator=(Buffer const&) = delete;
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

/// Kernels look up their tuned parameters by it.
inline std::string slug_of_device() {
  cudaDeviceProp properties{};
  PERFCHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  return model::slug_of(properties.name);
}

}  // namespace perfcheck
