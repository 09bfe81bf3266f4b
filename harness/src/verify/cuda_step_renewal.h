// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/verify/secret_data.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

namespace perfcheck::verify {

/// Enqueues: writes one set as CudaRenewal::enqueue() does, by kernels of at most 2.5 KB. They run right before a
/// launch that is timed on its own, and what they displace from the instruction cache, that launch has to fetch again
/// (docs/design.md, "Code that stays small"). They do not wait for the device to be theirs. `blocks` of
/// device::kExclusiveThreads threads take every thread slot of the device once. False, and nothing is enqueued, if an
/// input has a format that needs more code.
bool enqueue_step_renewal(unsigned blocks, cudaStream_t stream, std::span<SecretMatrices const> inputs, int set,
                          std::uint64_t secret, std::span<PoisonedMemory const> poisoned);

}  // namespace perfcheck::verify
