// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace perfcheck::device {

/// Settings of a device and a stream that outlive a launch and change what others measure: limits, cache configuration,
/// lines that stay in the cache. A setting that a kernel's host code leaves behind would help its next launch or slow
/// down its reference.
class CudaSettings {
 public:
  /// Remembers the settings as they are now. Throws CudaError.
  explicit CudaSettings(cudaStream_t stream);

  /// Restores all settings. Returns what had changed ("persisting lines of the cache: 0, now 31457280"), or an empty
  /// text.
  std::string restore();

 private:
  struct Limit {
    cudaLimit limit;
    char const* name;
    std::size_t value;
  };

  cudaStream_t stream_;
  std::vector<Limit> limits_;
  std::size_t stack_bytes_ = 0;
  cudaFuncCache cache_{};
};

}  // namespace perfcheck::device
