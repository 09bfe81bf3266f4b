// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What an address points to, as far as it is the same in every process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace perfcheck::device {

enum class MemoryKind { device, managed, host };

struct MemoryPlace {
  MemoryKind kind = MemoryKind::device;
  /// Largest power of two that divides the address, up to what every allocator of the kind keeps to.
  int alignment = 0;

  /// "device memory", "managed memory aligned to 4 bytes".
  std::string text() const;
};

/// The place of an address; nothing if the word is not an address of this process.
using PlaceOf = std::function<std::optional<MemoryPlace>(std::uint64_t word)>;

/// CUDA aligns what it allocates to 256 bytes and more, but malloc only to 16: beyond that it is chance.
MemoryPlace place_at(MemoryKind kind, std::uint64_t address);

/// Whether this process can read a byte there. Always false below 4 GiB, where few addresses lie, but many sizes and
/// counts.
bool is_readable_here(std::uint64_t address);

}  // namespace perfcheck::device
