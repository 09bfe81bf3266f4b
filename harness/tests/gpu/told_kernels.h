// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernel launches whose attributes and arguments the tests read back.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace perfcheck::device {

/// A kernel that takes a struct of a number and an address, with padding between them.
cudaError_t enqueue_told(void const* data, int number, cudaStream_t stream);
/// The same kernel with `blocks` blocks in clusters of `cluster`.
cudaError_t enqueue_told_in_clusters(void const* data, unsigned blocks, unsigned cluster, cudaStream_t stream);
/// Sets the same kernel's shared-memory carveout in percent; -1 leaves the choice to the driver.
cudaError_t set_carveout_of_told(int percent);
cudaError_t enqueue_with_map(CUtensorMap const& map, cudaStream_t stream);
/// A kernel that reads a constant, and the function that sets the constant.
cudaError_t enqueue_constant(float* out, cudaStream_t stream);
cudaError_t write_constant(float value, cudaStream_t stream);

}  // namespace perfcheck::device
