// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One box of a tensor, copied by the copy engine.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfcheck {

/// Enqueues a copy of the box whose first element is at `at`, `box_bytes` of shared memory, to `out` on the device.
template <std::size_t kRank>
void enqueue_box(CUtensorMap const& map, std::array<int, kRank> const& at, int box_bytes, std::uint8_t* out,
                 cudaStream_t stream);

}  // namespace perfcheck
