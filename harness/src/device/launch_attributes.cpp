// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_attributes.h"

#include "driver_api.h"
#include "graph_node.h"
#include "machine_code.h"

#include <perfcheck/cuda_check.h>

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace perfcheck::device {
namespace {

int attribute(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  check_driver(driver_api().func_get_attribute(&value, which, function), "cuFuncGetAttribute");
  return value;
}

model::LaunchAttributes describe(CUDA_KERNEL_NODE_PARAMS const& node) {
  DriverApi const& driver = driver_api();
  auto* const function = kernel_function(node);
  std::string const mangled = kernel_name(function);

  model::LaunchAttributes launch;
  launch.function = readable_kernel_name(mangled);
  launch.grid = {static_cast<int>(node.gridDimX), static_cast<int>(node.gridDimY), static_cast<int>(node.gridDimZ)};
  launch.block = {static_cast<int>(node.blockDimX), static_cast<int>(node.blockDimY), static_cast<int>(node.blockDimZ)};
  launch.registers = attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
  launch.shared_bytes = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + int64_t{node.sharedMemBytes};
  launch.local_bytes = attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  int const threads = launch.block[0] * launch.block[1] * launch.block[2];
  check_driver(driver.max_active_blocks(&launch.blocks_per_sm, function, threads, node.sharedMemBytes),
               "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  int device = 0, max_threads = 0;
  PERFCHECK_CUDA(cudaGetDevice(&device));
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  // Warps are the unit: a block of 33 threads takes the room of 64.
  int const warps = (threads + 31) / 32;
  int const most_warps = max_threads / 32;
  launch.occupancy = static_cast<double>(launch.blocks_per_sm) * warps / most_warps;
  launch.machine_code = machine_code_hash(mangled, attribute(function, CU_FUNC_ATTRIBUTE_BINARY_VERSION));
  return launch;
}

}  // namespace

std::string readable_kernel_name(std::string const& mangled) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  std::string name = status == 0 ? text.get() : mangled;
  if (auto const anonymous = name.find("_GLOBAL__N__"); anonymous != std::string::npos) {
    auto const end = name.find("::", anonymous);
    name.erase(anonymous, end == std::string::npos ? std::string::npos : end + 2 - anonymous);
  }
  for (std::string const part : {"(anonymous namespace)::", "void "}) {
    if (auto const at = name.find(part); at != std::string::npos) {
      name.erase(at, part.size());
    }
  }
  if (auto const arguments = name.rfind('('); arguments != std::string::npos && arguments > 0) {
    name.erase(arguments);
  }
  return name;
}

std::vector<model::LaunchAttributes> launch_attributes(std::vector<cudaGraphNode_t> const& kernels) {
  std::vector<model::LaunchAttributes> launches;
  for (auto* const node : kernels) launches.push_back(describe(kernel_parameters(node)));
  return launches;
}

}  // namespace perfcheck::device
