// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How a kernel is launched, besides grid, block, shared memory and arguments.
#pragma once

#include "memory_place.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string>

namespace perfcheck::device {

/// Attributes of a kernel node and settings of its function that differ from those of `plain`, a kernel that was
/// launched without any on the same stream, in words: "cluster 2x1x1, cooperative", "default". Those that the driver
/// does not know are left out.
std::string launch_settings(cudaGraphNode_t node, cudaGraphNode_t plain, PlaceOf const& place_of);

}  // namespace perfcheck::device
