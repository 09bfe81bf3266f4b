// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory_place.h"

#include <cuda_runtime_api.h>

namespace perfcheck::device {

/// Asks the runtime about an address, and the system if the runtime does not know it. `stream` itself, which kernels
/// may get as an argument, counts as an address on the host.
PlaceOf cuda_place_of(cudaStream_t stream);

}  // namespace perfcheck::device
