// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace perfcheck::device {

/// A value at an offset, or nothing when the bytes end before.
template <typename Value>
std::optional<Value> read_at(std::span<std::uint8_t const> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Value)) return std::nullopt;
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof(Value));
  return value;
}

}  // namespace perfcheck::device
