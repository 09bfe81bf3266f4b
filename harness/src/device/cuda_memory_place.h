// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory_place.h"

#include <cuda_runtime_api.h>

namespace perfcheck::device {

/// Asks the runtime whose memory an address is, and the system about what the runtime does not know. `stream` itself,
/// which kernels may be given, is an address of the host's.
PlaceOf cuda_place_of(cudaStream_t stream);

}  // namespace perfcheck::device
