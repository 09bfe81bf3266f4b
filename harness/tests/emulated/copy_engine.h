// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The copy engine (TMA): copies boxes of tensors that a tensor map describes, with swizzles, and zeros for what lies
// outside.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <span>

namespace perfcheck::emulated {

/// The driver's cuTensorMapEncodeTiled, for maps that only load() understands.
CUresult encode_tensor_map(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* data,
                           cuuint64_t const* sizes, cuuint64_t const* strides, cuuint32_t const* box,
                           cuuint32_t const* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                           CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);

/// Starts copying the box at `at` to shared memory; its bytes count towards the barrier.
void load(CUtensorMap const& map, std::span<int const> at, std::uint32_t to, std::uint32_t barrier);
/// The same to each block of the cluster whose rank is a bit of `blocks`.
void load_to_blocks(CUtensorMap const& map, std::span<int const> at, std::uint32_t to, std::uint32_t barrier,
                    std::uint32_t blocks);
/// Starts copying a box from shared memory to its place at `at`, as part of the thread's present group of stores.
void store(CUtensorMap const& map, std::span<int const> at, std::uint32_t from);

}  // namespace perfcheck::emulated
