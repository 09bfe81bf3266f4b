// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Checked CUDA runtime calls: PERFCHECK_CUDA(cudaMemcpyAsync(...)).
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace perfcheck {

/// A CUDA runtime call failed. what() holds the expression, the error's name and text, and file:line.
class CudaError : public std::runtime_error {
 public:
  CudaError(std::string const& what, cudaError_t code) : std::runtime_error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws CudaError. Clears the runtime's last error, so that a failure that is not sticky is reported once.
[[noreturn]] inline void throw_cuda_error(cudaError_t code, char const* expression, char const* file, int line) {
  (void)cudaGetLastError();
  throw CudaError(std::string(expression) + ": " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ") at " +
                      file + ":" + std::to_string(line),
                  code);
}

}  // namespace perfcheck

#define PERFCHECK_CUDA(expression)                                                        \
  do {                                                                                    \
    if (cudaError_t const perfcheck_code = (expression); perfcheck_code != cudaSuccess) { \
      ::perfcheck::throw_cuda_error(perfcheck_code, #expression, __FILE__, __LINE__);     \
    }                                                                                     \
  } while (false)
