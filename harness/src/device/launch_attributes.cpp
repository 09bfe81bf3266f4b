// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_attributes.h"

#include "cuda_memory_place.h"
#include "driver_api.h"
#include "graph_node.h"
#include "graph_work.h"
#include "kernel_names.h"
#include "launch_data.h"
#include "launch_settings.h"
#include "machine_code.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <span>
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

  model::LaunchAttributes launch;
  launch.function = readable_kernel_name(kernel_name(function));
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
  return launch;
}

/// The driver's tensor map of a matrix at an address; the memory there is not accessed.
std::optional<TensorMap> map_of_matrix_at(std::uint64_t address) {
  auto const encode = driver_api().tensor_map_encode_tiled;
  if (encode == nullptr) return std::nullopt;
  CUtensorMap map{};
  cuuint64_t const sizes[] = {64, 64}, strides[] = {64 * sizeof(float)};
  cuuint32_t const box[] = {16, 16}, steps[] = {1, 1};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): no memory is touched
  auto const code = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, reinterpret_cast<void*>(address), sizes, strides,
                           box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (code != CUDA_SUCCESS) return std::nullopt;
  static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));
  TensorMap words;
  std::memcpy(words.data(), &map, sizeof(map));
  return words;
}

/// A launch's arguments, whichever way they were passed; nothing if they cannot be determined.
std::optional<std::vector<Argument>> arguments_of(CUDA_KERNEL_NODE_PARAMS const& node) {
  auto const info = driver_api().func_get_param_info;
  if (info == nullptr) return std::nullopt;
  std::uint8_t const* buffer = nullptr;
  for (void** option = node.kernelParams == nullptr ? node.extra : nullptr;
       option != nullptr && *option != CU_LAUNCH_PARAM_END; option += 2) {
    if (*option == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<std::uint8_t const*>(option[1]);
  }
  auto* const function = kernel_function(node);
  std::vector<Argument> arguments;
  for (std::size_t i = 0;; ++i) {
    std::size_t offset = 0, size = 0;
    auto const code = info(function, i, &offset, &size);
    if (code == CUDA_ERROR_INVALID_VALUE) return arguments;  // behind the last one
    if (code != CUDA_SUCCESS || (node.kernelParams == nullptr && buffer == nullptr)) return std::nullopt;
    auto const* const first =
        node.kernelParams != nullptr ? static_cast<std::uint8_t const*>(node.kernelParams[i]) : buffer + offset;
    arguments.push_back({offset, {first, size}});
  }
}

/// `again` is the same kernel of another launch, or null.
std::string arguments_hash_of(cudaGraphNode_t node, cudaGraphNode_t again, PlaceOf const& place_of) {
  static TensorMapFormat const tensor_maps(map_of_matrix_at);
  auto arguments = arguments_of(kernel_parameters(node));
  if (!arguments) return "";
  auto const others = again == nullptr ? std::nullopt : arguments_of(kernel_parameters(again));
  for (std::size_t i = 0; others && others->size() == arguments->size() && i < arguments->size(); ++i) {
    if ((*others)[i].bytes.size() == (*arguments)[i].bytes.size()) (*arguments)[i].again = (*others)[i].bytes;
  }
  return arguments_hash(*arguments, place_of, tensor_maps);
}

/// Copies a variable of the function's module from the device. If the driver refuses, the caller uses the initial value
/// from the file.
bool read_variable(CUfunction function, std::string const& name, std::span<std::uint8_t> bytes, cudaStream_t stream) {
  DriverApi const& driver = driver_api();
  CUmodule module = nullptr;
  CUdeviceptr data = 0;
  std::size_t size = 0;
  if (driver.func_get_module == nullptr || driver.func_get_module(&module, function) != CUDA_SUCCESS ||
      driver.module_get_global == nullptr ||
      driver.module_get_global(&data, &size, module, name.c_str()) != CUDA_SUCCESS || size != bytes.size()) {
    return false;
  }
  auto const copied =
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address on the device
      cudaMemcpyAsync(bytes.data(), reinterpret_cast<void const*>(data), size, cudaMemcpyDeviceToHost, stream);
  bool const is_read = copied == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess;
  if (!is_read) (void)cudaGetLastError();
  return is_read;
}

void describe_code(CUfunction function, cudaStream_t stream, PlaceOf const& place_of, model::LaunchAttributes& launch) {
  auto const* const code =
      own_kernel_code(kernel_name(function), attribute(function, CU_FUNC_ATTRIBUTE_BINARY_VERSION));
  if (code == nullptr) return;
  launch.machine_code = code->machine_code;
  launch.called_code = code->called_code;
  launch.constants = constants_hash(
      *code,
      [&](std::string const& name, std::span<std::uint8_t> bytes) {
        return read_variable(function, name, bytes, stream);
      },
      place_of);
}

}  // namespace

std::vector<model::LaunchAttributes> launch_attributes(LaunchInGraph const& launch) {
  auto const place_of = cuda_place_of(launch.stream);
  auto const kernels = kernel_nodes(launch.nodes), again = kernel_nodes(launch.again);
  std::vector<model::LaunchAttributes> launches;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    auto const parameters = kernel_parameters(kernels[i]);
    model::LaunchAttributes& one = launches.emplace_back(describe(parameters));
    one.attributes = launch_settings(kernels[i], launch.plain, place_of);
    one.arguments = arguments_hash_of(kernels[i], again.size() == kernels.size() ? again[i] : nullptr, place_of);
    describe_code(kernel_function(parameters), launch.stream, place_of, one);
  }
  if (launches.empty()) return launches;
  auto const nodes = launch_nodes(launch.nodes, edges_of(launch.graph), place_of);
  launches.front().other_nodes = other_nodes_of(nodes);
  launches.front().graph = graph_hash_of(nodes);
  return launches;
}

}  // namespace perfcheck::device
