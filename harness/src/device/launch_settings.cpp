// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_settings.h"

#include "driver_api.h"
#include "graph_node.h"

#include <fmt/format.h>

#include <array>

namespace perfcheck::device {
namespace {

using Value = cudaLaunchAttributeValue;

std::string policy_window(Value const& value, PlaceOf const& place_of) {
  cudaAccessPolicyWindow const& window = value.accessPolicyWindow;
  if (window.num_bytes == 0) return "no access policy window";
  auto const name = [](cudaAccessProperty property) {
    switch (property) {
      case cudaAccessPropertyStreaming: return "streaming";
      case cudaAccessPropertyPersisting: return "persisting";
      default: return "normal";
    }
  };
  auto const place = place_of(reinterpret_cast<std::uint64_t>(window.base_ptr));
  return fmt::format("access policy window of {} bytes in {}, {:g} of it {}, the rest {}", window.num_bytes,
                     place ? place->text() : "memory of nobody", window.hitRatio, name(window.hitProp),
                     name(window.missProp));
}

struct Attribute {
  cudaLaunchAttributeID id;
  std::string (*show)(Value const&, PlaceOf const&);
};

constexpr std::array<Attribute, 10> kAttributes = {{
    {cudaLaunchAttributeClusterDimension,
     [](Value const& v, PlaceOf const&) {
       return fmt::format("cluster {}x{}x{}", v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
     }},
    {cudaLaunchAttributePreferredClusterDimension,
     [](Value const& v, PlaceOf const&) {
       auto const& size = v.preferredClusterDim;
       return fmt::format("preferred cluster {}x{}x{}", size.x, size.y, size.z);
     }},
    {cudaLaunchAttributeClusterSchedulingPolicyPreference,
     [](Value const& v, PlaceOf const&) {
       return fmt::format("cluster scheduling policy {}", static_cast<int>(v.clusterSchedulingPolicyPreference));
     }},
    {cudaLaunchAttributeCooperative,
     [](Value const& v, PlaceOf const&) -> std::string {
       return v.cooperative != 0 ? "cooperative" : "not cooperative";
     }},
    {cudaLaunchAttributePriority,
     [](Value const& v, PlaceOf const&) { return fmt::format("priority {}", v.priority); }},
    {cudaLaunchAttributeMemSyncDomain,
     [](Value const& v, PlaceOf const&) {
       return fmt::format("memory synchronisation domain {}", static_cast<int>(v.memSyncDomain));
     }},
    {cudaLaunchAttributeMemSyncDomainMap,
     [](Value const& v, PlaceOf const&) {
       return fmt::format("memory synchronisation domains {} and {}", v.memSyncDomainMap.default_,
                          v.memSyncDomainMap.remote);
     }},
    {cudaLaunchAttributeAccessPolicyWindow, policy_window},
    {cudaLaunchAttributePreferredSharedMemoryCarveout,
     [](Value const& v, PlaceOf const&) {
       return fmt::format("shared memory carve-out of the launch {} %", static_cast<int>(v.sharedMemCarveout));
     }},
    {cudaLaunchAttributeNvlinkUtilCentricScheduling,
     [](Value const& v, PlaceOf const&) {
       return fmt::format("NVLink-centric scheduling {}", v.nvlinkUtilCentricScheduling);
     }},
}};

struct FunctionSetting {
  CUfunction_attribute id;
  char const* name;
};

constexpr std::array<FunctionSetting, 7> kFunctionSettings = {
    {{CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, "shared memory carve-out"},
     {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, "global loads in the first-level cache"},
     {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, "compiled for clusters of width"},
     {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, "compiled for clusters of height"},
     {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, "compiled for clusters of depth"},
     {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, "non-portable clusters"},
     {CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, "the function's cluster scheduling policy"}}};

/// Empty where the driver does not know the attribute.
std::string shown(Attribute const& attribute, cudaGraphNode_t node, PlaceOf const& place_of) {
  Value value{};
  if (cudaGraphKernelNodeGetAttribute(node, attribute.id, &value) != cudaSuccess) {
    (void)cudaGetLastError();
    return "";
  }
  return attribute.show(value, place_of);
}

std::string shown(FunctionSetting const& setting, CUfunction function) {
  int value = 0;
  bool const is_known = driver_api().func_get_attribute(&value, setting.id, function) == CUDA_SUCCESS;
  return is_known ? fmt::format("{} {}", setting.name, value) : "";
}

/// The limit of dynamic shared memory, if the kernel asked for more than every kernel may have.
std::string most_shared_memory(CUfunction function) {
  constexpr int kWithoutAsking = 48 * 1024;
  int own = 0, dynamic = 0;
  auto const get = driver_api().func_get_attribute;
  if (get(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) != CUDA_SUCCESS ||
      get(&dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function) != CUDA_SUCCESS) {
    return "";
  }
  return own + dynamic > kWithoutAsking ? fmt::format("up to {} B of dynamic shared memory", dynamic) : "";
}

}  // namespace

std::string launch_settings(cudaGraphNode_t node, cudaGraphNode_t plain, PlaceOf const& place_of) {
  std::string text;
  auto const add = [&text](std::string const& one) {
    if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
  };
  for (Attribute const& attribute : kAttributes) {
    auto const now = shown(attribute, node, place_of);
    if (now != shown(attribute, plain, place_of)) add(now);
  }
  auto* const function = kernel_function(kernel_parameters(node));
  auto* const plain_function = kernel_function(kernel_parameters(plain));
  for (FunctionSetting const& setting : kFunctionSettings) {
    auto const now = shown(setting, function);
    if (now != shown(setting, plain_function)) add(now);
  }
  add(most_shared_memory(function));
  return text.empty() ? "default" : text;
}

}  // namespace perfcheck::device
