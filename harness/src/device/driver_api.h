// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The few driver functions that the runtime does not offer, fetched through the runtime so that nothing links libcuda.
#pragma once

#include <cuda.h>

#include <string>

namespace perfcheck::device {

struct DriverApi {
  decltype(&cuGraphKernelNodeGetParams) graph_kernel_node_get_params = nullptr;
  decltype(&cuKernelGetFunction) kernel_get_function = nullptr;
  decltype(&cuFuncGetName) func_get_name = nullptr;
  decltype(&cuFuncGetAttribute) func_get_attribute = nullptr;
  decltype(&cuCtxGetCurrent) ctx_get_current = nullptr;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) max_active_blocks = nullptr;
  // Null where the driver is too old to have them.
  decltype(&cuFuncGetParamInfo) func_get_param_info = nullptr;
  decltype(&cuFuncGetModule) func_get_module = nullptr;
  decltype(&cuModuleGetGlobal) module_get_global = nullptr;
  decltype(&cuTensorMapEncodeTiled) tensor_map_encode_tiled = nullptr;
};

/// Fetched once. Throws DeviceError when the driver is too old to have one of them.
DriverApi const& driver_api();

}  // namespace perfcheck::device
