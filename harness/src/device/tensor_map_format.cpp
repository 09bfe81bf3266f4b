// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "tensor_map_format.h"

#include <bit>

namespace perfcheck::device {
namespace {

constexpr int kWordBits = 64;
/// Lowest bit of a tensor's address that may be set: tensors begin at multiples of 16 bytes.
constexpr int kLowestBit = 4;

}  // namespace

TensorMapFormat::TensorMapFormat(std::function<std::optional<TensorMap>(std::uint64_t address)> const& encode) {
  // Two bits, because flipping the only one would make the address null, which an encoder may refuse.
  constexpr std::uint64_t kBase = (std::uint64_t{1} << 40) | (std::uint64_t{1} << 30);
  auto const base = encode(kBase);
  if (!base) return;
  for (int bit = kLowestBit; bit < kBits; ++bit) {
    auto const other = encode(kBase ^ (std::uint64_t{1} << bit));
    if (!other) continue;  // an address that this driver does not take
    for (std::size_t word = 0; word < base->size(); ++word) {
      std::uint64_t const changed = (*base)[word] ^ (*other)[word];
      address_bits_[word] |= changed;
      auto& place = places_[static_cast<std::size_t>(bit)];
      if (changed != 0 && !place) place = static_cast<int>(word) * kWordBits + std::countr_zero(changed);
    }
  }
  for (auto const& place : places_) known_ = known_ || place.has_value();
}

std::uint64_t TensorMapFormat::address_in(TensorMap const& map) const {
  std::uint64_t address = 0;
  for (std::size_t bit = 0; bit < places_.size(); ++bit) {
    if (!places_[bit]) continue;
    auto const word = static_cast<std::size_t>(*places_[bit] / kWordBits);
    address |= (map[word] >> (*places_[bit] % kWordBits) & 1) << bit;
  }
  return address;
}

TensorMap TensorMapFormat::without_address(TensorMap const& map) const {
  TensorMap rest = map;
  for (std::size_t word = 0; word < rest.size(); ++word) rest[word] &= ~address_bits_[word];
  return rest;
}

}  // namespace perfcheck::device
