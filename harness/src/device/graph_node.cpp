// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_node.h"

#include "driver_api.h"
#include "kernel_names.h"
#include "perfcheck/device/backend.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

namespace perfcheck::device {
namespace {

cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type{};
  PERFCHECK_CUDA(cudaGraphNodeGetType(node, &type));
  return type;
}

std::vector<cudaGraphNode_t> child_nodes(cudaGraphNode_t node) {
  cudaGraph_t child = nullptr;
  PERFCHECK_CUDA(cudaGraphChildGraphNodeGetGraph(node, &child));
  std::size_t count = 0;
  PERFCHECK_CUDA(cudaGraphGetNodes(child, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  PERFCHECK_CUDA(cudaGraphGetNodes(child, nodes.data(), &count));
  return nodes;
}

std::string describe_kernel(cudaGraphNode_t node) {
  auto const kernel = kernel_parameters(node);
  auto* const function = kernel_function(kernel);
  return fmt::format("kernel {} grid {}x{}x{} block {}x{}x{} shared {}", readable_kernel_name(kernel_name(function)),
                     kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ, kernel.blockDimX, kernel.blockDimY,
                     kernel.blockDimZ, kernel.sharedMemBytes);
}

std::string describe_memset(cudaGraphNode_t node) {
  cudaMemsetParams set{};
  PERFCHECK_CUDA(cudaGraphMemsetNodeGetParams(node, &set));
  return fmt::format("a memset of {} bytes to {}", set.elementSize * set.width * set.height, set.value);
}

std::string describe_copy(cudaGraphNode_t node) {
  cudaMemcpy3DParms copy{};
  if (cudaGraphMemcpyNodeGetParams(node, &copy) != cudaSuccess) {
    (void)cudaGetLastError();
    return "a copy";
  }
  return fmt::format("a copy of {} bytes", copy.extent.width * copy.extent.height * copy.extent.depth);
}

std::string describe_child(cudaGraphNode_t node) {
  std::string text = "a child graph of (";
  auto const nodes = child_nodes(node);
  for (auto* const inner : nodes) text += (inner == nodes.front() ? "" : ", ") + describe_node(inner);
  return text + ")";
}

/// The context that this thread launches in; nodes of another one belong to another device.
CUcontext current_context() {
  CUcontext context = nullptr;
  check_driver(driver_api().ctx_get_current(&context), "cuCtxGetCurrent");
  return context;
}

std::string what_is_wrong_with_kernel(cudaGraphNode_t node) {
  auto const kernel = kernel_parameters(node);
  if (kernel.ctx != nullptr && kernel.ctx != current_context()) {
    return describe_node(node) + " in another context, on another device";
  }
  cudaLaunchAttributeValue value{};
  if (cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value) != cudaSuccess) {
    (void)cudaGetLastError();  // a driver that does not know the attribute has no such nodes
  } else if (value.deviceUpdatableKernelNode.deviceUpdatable != 0) {
    return describe_node(node) + " as a node that the device can switch off while it is timed";
  }
  return "";
}

}  // namespace

void check_driver(CUresult result, char const* call) {
  if (result != CUDA_SUCCESS) {
    throw DeviceError(fmt::format("{}: driver error {}", call, static_cast<int>(result)), false);
  }
}

CUDA_KERNEL_NODE_PARAMS kernel_parameters(cudaGraphNode_t node) {
  CUDA_KERNEL_NODE_PARAMS parameters{};
  check_driver(driver_api().graph_kernel_node_get_params(node, &parameters), "cuGraphKernelNodeGetParams");
  return parameters;
}

CUfunction kernel_function(CUDA_KERNEL_NODE_PARAMS const& parameters) {
  CUfunction function = parameters.func;
  if (function == nullptr) {
    check_driver(driver_api().kernel_get_function(&function, parameters.kern), "cuKernelGetFunction");
  }
  return function;
}

std::string kernel_name(CUfunction function) {
  char const* name = "";
  check_driver(driver_api().func_get_name(&name, function), "cuFuncGetName");
  return name;
}

std::string describe_node(cudaGraphNode_t node) {
  switch (type_of(node)) {
    case cudaGraphNodeTypeKernel: return describe_kernel(node);
    case cudaGraphNodeTypeMemset: return describe_memset(node);
    case cudaGraphNodeTypeMemcpy: return describe_copy(node);
    case cudaGraphNodeTypeGraph: return describe_child(node);
    case cudaGraphNodeTypeEmpty: return "an empty node";
    case cudaGraphNodeTypeHost: return "a call of a host function";
    case cudaGraphNodeTypeEventRecord: return "an event";
    case cudaGraphNodeTypeWaitEvent: return "a wait for an event";
    case cudaGraphNodeTypeMemAlloc: return "an allocation";
    case cudaGraphNodeTypeMemFree: return "a release of memory";
    case cudaGraphNodeTypeConditional: return "a conditional node";
    default: return fmt::format("a node of type {}", static_cast<int>(type_of(node)));
  }
}

std::string what_is_wrong_with(cudaGraphNode_t node) {
  switch (type_of(node)) {
    case cudaGraphNodeTypeKernel: return what_is_wrong_with_kernel(node);
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeEmpty: return "";
    case cudaGraphNodeTypeGraph:
      for (auto* const inner : child_nodes(node)) {
        if (auto const wrong = what_is_wrong_with(inner); !wrong.empty()) return "a child graph with " + wrong;
      }
      return "";
    case cudaGraphNodeTypeHost: return "a call of a host function: what is timed must run on the device";
    case cudaGraphNodeTypeEventRecord:
      return "an event: recorded again, it would move the start of the clock; time a kernel with events of your own "
             "only outside of a capture";
    case cudaGraphNodeTypeConditional:
      return "a conditional node: what its body does when it is timed cannot be told beforehand";
    default: return describe_node(node) + ", which is none of kernel, memset, copy and child graph";
  }
}

std::vector<GraphEdge> edges_of(cudaGraph_t graph) {
#if CUDART_VERSION >= 13000
  auto const get = cudaGraphGetEdges;
#else
  auto const get = cudaGraphGetEdges_v2;
#endif
  std::size_t count = 0;
  PERFCHECK_CUDA(get(graph, nullptr, nullptr, nullptr, &count));
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  PERFCHECK_CUDA(get(graph, from.data(), to.data(), data.data(), &count));
  std::vector<GraphEdge> edges;
  for (std::size_t i = 0; i < count; ++i) edges.push_back({from[i], to[i], data[i]});
  return edges;
}

std::vector<cudaGraphNode_t> kernel_nodes(std::vector<cudaGraphNode_t> const& nodes) {
  std::vector<cudaGraphNode_t> kernels;
  for (auto* const node : nodes) {
    if (type_of(node) == cudaGraphNodeTypeKernel) kernels.push_back(node);
    if (type_of(node) == cudaGraphNodeTypeGraph) {
      auto const inner = kernel_nodes(child_nodes(node));
      kernels.insert(kernels.end(), inner.begin(), inner.end());
    }
  }
  return kernels;
}

}  // namespace perfcheck::device
