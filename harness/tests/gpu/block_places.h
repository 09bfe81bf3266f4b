// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that show, and disturb, where the device puts the blocks of a grid.
#pragma once

#include <cuda_runtime_api.h>

namespace perfcheck::device {

/// One wave of `blocks` small blocks; each writes the number of its multiprocessor to places[block].
cudaError_t enqueue_places(unsigned* places, int blocks, cudaStream_t stream);
/// A grid of many waves, whose blocks end in an order of their own.
cudaError_t enqueue_crowd(cudaStream_t stream);

}  // namespace perfcheck::device
