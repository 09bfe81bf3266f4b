// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches whose attributes tests look at.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace perfcheck::device {

/// A kernel with an address, a number and, in between, bytes that nobody writes.
cudaError_t enqueue_told(void const* data, int number, cudaStream_t stream);
/// The same as `blocks` blocks in clusters of `cluster`.
cudaError_t enqueue_told_in_clusters(void const* data, unsigned blocks, unsigned cluster, cudaStream_t stream);
/// The same with a share of shared memory set aside, in percent; -1 for the driver's choice.
cudaError_t set_carveout_of_told(int percent);
cudaError_t enqueue_with_map(CUtensorMap const& map, cudaStream_t stream);
/// A kernel that reads a constant, and the constant.
cudaError_t enqueue_constant(float* out, cudaStream_t stream);
cudaError_t write_constant(float value, cudaStream_t stream);

}  // namespace perfcheck::device
