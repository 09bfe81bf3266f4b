// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What tensor cores multiply: numbers, tiles of shared memory, and the sums that one thread has of a wgmma. PTX,
// "Asynchronous Warpgroup Level Matrix Instructions".
#pragma once

#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace perfcheck::emulated {

/// All numbers of a type of 8 or 16 bits: their conversion takes long on a CPU.
template <class T>
std::vector<float> const all_numbers = [] {
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  std::vector<float> all(std::size_t{1} << (8 * sizeof(T)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(std::bit_cast<T>(static_cast<Bits>(i)));
  return all;
}();

/// An element as a number to multiply: FP32 is read as TF32.
template <class In>
auto number_at(unsigned char const* at) {
  if constexpr (std::is_same_v<In, std::int8_t>) {
    return int{static_cast<std::int8_t>(*at)};
  } else if constexpr (std::is_same_v<In, float>) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return std::bit_cast<float>(bits & ~0x1FFFU);
  } else {
    static_assert(sizeof(In) <= 2);
    std::conditional_t<sizeof(In) == 1, std::uint8_t, std::uint16_t> bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return all_numbers<In>[bits];
  }
}
template <class In>
using Number = decltype(number_at<In>(nullptr));

/// Steps of k of one instruction.
template <class In>
constexpr int kSteps = 32 / int{sizeof(In)};

/// The tile at a descriptor: 32 bytes of k of `lines` rows or columns. Neighbours in memory are neighbours along k or,
/// with `lines_contiguous`, neighbouring lines.
class OperandTile {
 public:
  OperandTile(std::uint64_t descriptor, int lines, int element_bytes, bool lines_contiguous);

  bool lines_contiguous() const { return lines_contiguous_; }
  /// Where an element is.
  unsigned char const* at(int line, int k) const {
    std::uint32_t const address = start_ + offset(line, k);
    return block_ + (address ^ (address / 128 % 8 * 16));
  }

 private:
  std::uint32_t offset(int line, int k) const {
    auto const l = static_cast<std::uint32_t>(line), step = static_cast<std::uint32_t>(k);
    return lines_contiguous_ ? l / 64 * far_ + step / 8 * near_ + step % 8 * 128 + l % 64 * bytes_
                             : l / 8 * near_ + l % 8 * 128 + step * bytes_;
  }

  std::uint32_t start_, far_, near_, bytes_;
  bool lines_contiguous_;
  unsigned char const* block_;  // where address 0 would be
};

/// The two rows of A that a thread's sums need.
template <class In>
using Rows = Number<In>[2][kSteps<In>];

/// Reads those of the present thread from a tile of 64 rows.
template <class In>
void read_rows(OperandTile const& a, Rows<In>& rows);

/// What the present thread does of an instruction: its sums `d` of two rows and of a quarter of the `columns` columns
/// of `b`, as registers hold them, become their products, or get them added. `columns` is a multiple of 8 up to 256. In
/// is __half, float for TF32, int8_t, or __nv_fp8_e4m3, whose sums have 14 bits, and are NaN beyond 2^63.
template <class In>
void multiply(Number<In>* d, Rows<In> const& rows, OperandTile const& b, int columns, bool add);

}  // namespace perfcheck::emulated
