// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "told_kernels.h"

namespace perfcheck::device {
namespace {

struct Told {
  int number;  // four bytes of padding follow
  void const* data;
};

// The compiler cannot decide the condition, so it cannot drop the arguments.
__global__ void told(Told told, unsigned never) {
  if (threadIdx.x == never) static_cast<int volatile*>(const_cast<void*>(told.data))[0] = told.number;
}

__global__ void with_map(__grid_constant__ CUtensorMap const map, unsigned never, int* out) {
  if (threadIdx.x == never) *out = reinterpret_cast<int const*>(&map)[never];
}

__constant__ float factor = 2;
__global__ void reads_constant(float* out) { out[threadIdx.x] = factor; }

constexpr unsigned kThreads = 32, kNever = 1000;

Told told_of(void const* data, int number) {
  Told value;
  value.number = number;
  value.data = data;
  return value;
}

}  // namespace

cudaError_t enqueue_told(void const* data, int number, cudaStream_t stream) {
  told<<<1, kThreads, 0, stream>>>(told_of(data, number), kNever);
  return cudaGetLastError();
}

cudaError_t enqueue_told_in_clusters(void const* data, unsigned blocks, unsigned cluster, cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(kThreads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, told, told_of(data, 1), kNever);
}

cudaError_t set_carveout_of_told(int percent) {
  return cudaFuncSetAttribute(told, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
}

cudaError_t enqueue_with_map(CUtensorMap const& map, cudaStream_t stream) {
  with_map<<<1, kThreads, 0, stream>>>(map, kNever, nullptr);
  return cudaGetLastError();
}

cudaError_t enqueue_constant(float* out, cudaStream_t stream) {
  reads_constant<<<1, kThreads, 0, stream>>>(out);
  return cudaGetLastError();
}

cudaError_t write_constant(float value, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(factor, &value, sizeof(value), 0, cudaMemcpyHostToDevice, stream);
}

}  // namespace perfcheck::device
