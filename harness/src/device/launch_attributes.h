// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a captured graph says about the kernels in it: works for library kernels as for our own.
#pragma once

#include "perfcheck/model/run.h"

#include <cuda_runtime_api.h>

#include <vector>

namespace perfcheck::device {

/// One entry per kernel node, in the order of capture. Throws DeviceError or CudaError.
std::vector<model::LaunchAttributes> launch_attributes(cudaGraph_t graph);

}  // namespace perfcheck::device
