// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "driver_api.h"

#include "perfcheck/device/backend.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace perfcheck::device {
namespace {

/// The CUDA version whose signatures the declarations in cuda.h have; cuFuncGetName came with 12.3.
constexpr unsigned kApiVersion = 12030;
/// cuFuncGetParamInfo came with 12.4.
constexpr unsigned kLaterApiVersion = 12040;

/// Null when the driver has no such function.
void* find(char const* name, unsigned version) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  auto const code = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
  if (code == cudaSuccess && found == cudaDriverEntryPointSuccess) return address;
  (void)cudaGetLastError();
  return nullptr;
}

template <typename Function>
void fetch(char const* name, Function& function) {
  void* const address = find(name, kApiVersion);
  if (address == nullptr) {
    throw DeviceError(
        fmt::format("the driver has no {}: update the NVIDIA driver to one that supports CUDA 12.3 or newer", name),
        false);
  }
  function = reinterpret_cast<Function>(address);
}

template <typename Function>
void fetch_if_there(char const* name, Function& function) {
  function = reinterpret_cast<Function>(find(name, kLaterApiVersion));
}

DriverApi fetch_all() {
  DriverApi api;
  fetch("cuGraphKernelNodeGetParams", api.graph_kernel_node_get_params);
  fetch("cuKernelGetFunction", api.kernel_get_function);
  fetch("cuFuncGetName", api.func_get_name);
  fetch("cuFuncGetAttribute", api.func_get_attribute);
  fetch("cuCtxGetCurrent", api.ctx_get_current);
  fetch("cuOccupancyMaxActiveBlocksPerMultiprocessor", api.max_active_blocks);
  fetch_if_there("cuFuncGetParamInfo", api.func_get_param_info);
  fetch_if_there("cuFuncGetModule", api.func_get_module);
  fetch_if_there("cuModuleGetGlobal", api.module_get_global);
  fetch_if_there("cuTensorMapEncodeTiled", api.tensor_map_encode_tiled);
  return api;
}

}  // namespace

DriverApi const& driver_api() {
  static DriverApi const api = fetch_all();
  return api;
}

}  // namespace perfcheck::device
