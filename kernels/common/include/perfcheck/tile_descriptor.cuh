// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace perfcheck::ptx {

/// Where a tile with the copy engine's swizzle of 128 bytes lies in shared memory. PTX, "Asynchronous Warpgroup Level
/// Matrix Shared Memory Layout: Matrix Descriptor". The tile consists of lines of 128 bytes, in groups of eight that
/// begin at multiples of 1024 bytes.
///
/// If k is contiguous, a line is 128 bytes of k of a row of A or a column of B; `far` means nothing, and `near` is the
/// distance from one group of eight lines to the next. If not, which only 16-bit elements may, a line is 64 columns at
/// one k; `near` is again the distance between groups of eight lines, which is along k, and `far` that from 64 columns
/// to the next 64. All in bytes, multiples of 16. Descriptors count in units of 16 bytes: adding n moves the tile's
/// beginning by 16 n bytes. Of an address, the lower 18 bits count: in clusters, the upper ones hold the block's rank.
__device__ __forceinline__ uint64_t tile_descriptor(uint32_t shared, int far, int near) {
  constexpr uint64_t kSwizzleOf128Bytes = 1;
  return uint64_t{shared % 0x40000 / 16} | static_cast<uint64_t>(far / 16) << 16 |
         static_cast<uint64_t>(near / 16) << 32 | kSwizzleOf128Bytes << 62;
}

}  // namespace perfcheck::ptx
