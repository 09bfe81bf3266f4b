// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that show where the device places the blocks of a grid, and one that disturbs the placement.
#pragma once

#include <cuda_runtime_api.h>

namespace perfcheck::device {

/// One wave of `blocks` small blocks; each writes the number of its multiprocessor to places[block].
cudaError_t enqueue_places(unsigned* places, int blocks, cudaStream_t stream);
/// A grid of many waves whose blocks differ in run time and so end out of order.
cudaError_t enqueue_crowd(cudaStream_t stream);

}  // namespace perfcheck::device
