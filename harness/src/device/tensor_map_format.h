// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out where a tensor map (CUtensorMap), whose 128 bytes NVIDIA does not document, holds the address of its
// tensor: the driver encodes one matrix at addresses that differ in one bit.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace perfcheck::device {

using TensorMap = std::array<std::uint64_t, 16>;

class TensorMapFormat {
 public:
  /// Unknown format: no map can be recognised.
  TensorMapFormat() = default;
  /// `encode` makes a map of the same matrix at an address that is a multiple of 16, or nothing where it cannot.
  explicit TensorMapFormat(std::function<std::optional<TensorMap>(std::uint64_t address)> const& encode);

  bool is_known() const { return known_; }
  /// The address in a map; for other data, whatever stands in those bits.
  std::uint64_t address_in(TensorMap const& map) const;
  /// The map without all bits that change with the address.
  TensorMap without_address(TensorMap const& map) const;

 private:
  /// Bits of an address. Fewer than 64: user space ends before.
  static constexpr int kBits = 57;
  /// A bit of a map: word * 64 + bit.
  std::array<std::optional<int>, kBits> places_;
  TensorMap address_bits_{};
  bool known_ = false;
};

}  // namespace perfcheck::device
