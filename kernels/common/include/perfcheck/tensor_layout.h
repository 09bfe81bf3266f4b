// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How a tensor lies in global memory, and from which tensors the copy engine (TMA) of compute capability 9.0 can copy
// boxes. Needs no CUDA. The conditions are those of cuTensorMapEncodeTiled, "CUDA Driver API: Tensor Map Object
// Management", without interleaving; the driver itself says no more than that something is invalid.
#pragma once

#include <perfcheck/element.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace perfcheck {

/// A tensor of 1 to 5 dimensions; the elements of dimension 0 are contiguous.
template <std::size_t kRank>
struct TensorLayout {
  static_assert(kRank >= 1 && kRank <= 5, "the copy engine knows tensors of 1 to 5 dimensions");
  void const* data = nullptr;  ///< aligned to 16 bytes
  Element element = Element::f32;
  std::array<std::int64_t, kRank> sizes{};
  /// Elements from one index to the next of dimension 1 and higher; multiples of 16 bytes.
  std::array<std::int64_t, kRank - 1> strides{};
};

/// A tensor of any rank, and how boxes of it are copied: the arguments of why_no_tensor_map().
struct TensorLayoutView {
  void const* data = nullptr;
  Element element = Element::f32;
  std::span<std::int64_t const> sizes, strides;
  /// Sizes of the boxes, in elements.
  std::span<int const> box;
  /// Bytes over which the engine exchanges 16-byte pieces in shared memory; 0 for a plain box.
  int swizzle_bytes = 0;
};

/// Why no tensor map can describe the tensor, to follow "a tensor map: "; empty if one can.
inline std::string why_no_tensor_map(TensorLayoutView const& tensor) {
  constexpr int kAlignment = 16, kMostBox = 256;
  constexpr std::int64_t kMostSize = std::int64_t{1} << 32, kMostStride = std::int64_t{1} << 40;
  auto const of = [](char const* what, std::size_t dimension, std::int64_t value) {
    return std::string(what) + " of dimension " + std::to_string(dimension) + " is " + std::to_string(value);
  };
  if (reinterpret_cast<std::uintptr_t>(tensor.data) % kAlignment != 0) return "the data is not aligned to 16 bytes";
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] < 1 || tensor.sizes[i] > kMostSize) {
      return of("the size", i, tensor.sizes[i]) + ", not 1 to 2^32";
    }
    if (tensor.box[i] < 1 || tensor.box[i] > kMostBox) return of("the box", i, tensor.box[i]) + ", not 1 to 256";
  }
  int const bits = format_of(tensor.element).bits;
  if (tensor.sizes[0] * bits % 8 != 0) return of("the size", 0, tensor.sizes[0]) + ", which ends within a byte";
  for (std::size_t i = 0; i < tensor.strides.size(); ++i) {
    std::int64_t const stride = tensor.strides[i];
    if (stride < 1 || stride * bits % (8 * kAlignment) != 0 || bytes_of(tensor.element, stride) >= kMostStride) {
      return of("the stride", i + 1, stride) + " elements, not a multiple of 16 bytes from 16 to 2^40";
    }
  }
  std::int64_t const row_bits = std::int64_t{tensor.box[0]} * bits;
  if (row_bits % (8 * kAlignment) != 0) {
    return of("the box", 0, tensor.box[0]) + " elements, not a multiple of 16 bytes";
  }
  if (tensor.swizzle_bytes != 0 && row_bits / 8 > tensor.swizzle_bytes) {
    return of("the box", 0, tensor.box[0]) + " elements, longer than the swizzle's " +
           std::to_string(tensor.swizzle_bytes) + " bytes";
  }
  return "";
}

}  // namespace perfcheck
