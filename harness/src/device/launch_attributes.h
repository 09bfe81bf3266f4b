// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a captured graph says about the kernels in it: works for library kernels as for our own.
#pragma once

#include "perfcheck/model/run.h"

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace perfcheck::device {

/// One entry per kernel node, in the order given. Throws DeviceError or CudaError.
std::vector<model::LaunchAttributes> launch_attributes(std::vector<cudaGraphNode_t> const& kernels);

/// Demangled, without the unit name that nvcc gives to anonymous namespaces, and without arguments.
std::string readable_kernel_name(std::string const& mangled);

}  // namespace perfcheck::device
