// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "block_places.h"

#include <perfcheck/device/exclusive.cuh>

namespace perfcheck::device {
namespace {

__device__ void spin(long long cycles) {
  long long const start = clock64();
  while (clock64() - start < cycles) {
  }
}

// Spins long enough that no block starts after another one has ended.
__global__ void places_kernel(unsigned* places) {
  places[blockIdx.x] = multiprocessor();
  spin(20'000);
}

__global__ void crowd_kernel() { spin(1'000 + (blockIdx.x * 2654435761U >> 22U)); }

}  // namespace

cudaError_t enqueue_places(unsigned* places, int blocks, cudaStream_t stream) {
  places_kernel<<<blocks, 1, 0, stream>>>(places);
  return cudaGetLastError();
}

cudaError_t enqueue_crowd(cudaStream_t stream) {
  crowd_kernel<<<5'000, 256, 0, stream>>>();
  return cudaGetLastError();
}

}  // namespace perfcheck::device
