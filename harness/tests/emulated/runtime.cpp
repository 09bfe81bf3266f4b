// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of the CUDA runtime that kernels' host code calls, for the emulated device: one of compute capability
// 9.0.
#include "copy_engine.h"
#include "simulator.h"

#include <cuda_runtime_api.h>

#include <cstring>

namespace emulated = perfcheck::emulated;

extern "C" {

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t /*stream*/) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }
char const* cudaGetErrorName(cudaError_t /*error*/) { return "cudaError"; }
char const* cudaGetErrorString(cudaError_t /*error*/) { return "not emulated"; }

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int /*device*/) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *value = 9; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: *value = 0; return cudaSuccess;
    case cudaDevAttrMultiProcessorCount: *value = emulated::device().multiprocessors; return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 227 * 1024; return cudaSuccess;
    default: return cudaErrorNotSupported;
  }
}

cudaError_t cudaFuncSetAttribute(void const* /*function*/, cudaFuncAttribute attribute, int value) {
  bool const fits = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && value <= 227 * 1024;
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** function, unsigned int /*version*/,
                                             unsigned long long /*flags*/, cudaDriverEntryPointQueryResult* found) {
  bool const is_known = std::strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
  *function = is_known ? reinterpret_cast<void*>(&emulated::encode_tensor_map) : nullptr;
  *found = is_known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // extern "C"
