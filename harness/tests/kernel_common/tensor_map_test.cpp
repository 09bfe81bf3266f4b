// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the copy engine makes of tensors of every element and rank, byte for byte.
#include "tensor_copy.h"

#include "cuda_handles.h"
#include "gpu_test.h"

#include <gmock/gmock.h>
#include <perfcheck/cuda_check.h>
#include <perfcheck/tensor_map.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace perfcheck {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

using DeviceBytes = std::unique_ptr<std::uint8_t, device::DeviceMemoryFreer>;

DeviceBytes on_device(std::size_t count) {
  void* data = nullptr;
  PERFCHECK_CUDA(cudaMalloc(&data, count));
  return DeviceBytes{static_cast<std::uint8_t*>(data)};
}

DeviceBytes on_device(Bytes const& bytes) {
  DeviceBytes copy = on_device(bytes.size());
  PERFCHECK_CUDA(cudaMemcpy(copy.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  return copy;
}

Bytes from_device(DeviceBytes const& data, std::size_t count) {
  Bytes bytes(count);
  PERFCHECK_CUDA(cudaMemcpy(bytes.data(), data.get(), count, cudaMemcpyDeviceToHost));
  return bytes;
}

/// What the copy engine brings of the box at `at`, of `box_bytes`.
template <std::size_t kRank>
Bytes copied(CUtensorMap const& map, std::array<int, kRank> const& at, std::size_t box_bytes) {
  DeviceBytes const out = on_device(box_bytes);
  enqueue_box<kRank>(map, at, static_cast<int>(box_bytes), out.get(), nullptr);
  return from_device(out, box_bytes);
}

/// Where 16 bytes of a box lie whose rows are as long as the swizzle.
std::size_t swizzled(std::size_t offset, CUtensorMapSwizzle swizzle) {
  auto const pieces = static_cast<std::size_t>(bytes_of(swizzle)) / 16;
  return pieces == 0 ? offset : offset ^ ((offset / 128 % pieces) * 16);
}

/// Bytes that are no infinity and no NaN in any format of 32 bits: TF32 is rounded, and these would change.
Bytes random_bytes(std::size_t count) {
  std::mt19937 generator(7);
  Bytes bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(generator() & 0xbfU);
  return bytes;
}

/// To the nearest number with 13 bits fewer; of two that are as near, the one that ends with 0.
std::uint32_t to_tf32(std::uint32_t bits) { return (bits + 0xfffU + (bits >> 13U & 1U)) & ~0x1fffU; }

/// A tensor of `kRank` dimensions in memory with gaps, whose sizes are no multiples of anything.
template <std::size_t kRank>
class Tensor {
 public:
  explicit Tensor(Element element) : element_(element), unit_(16 * 8 / format_of(element).bits) {
    for (std::size_t i = 0; i < kRank; ++i) {
      auto const dimension = static_cast<int>(i);
      // Packed elements come in pairs.
      layout_.sizes[i] = i == 0 ? 2 * unit_ + 2 : 5 - dimension / 2;
      box_[i] = i == 0 ? 2 * unit_ : 2 + dimension % 2;
      if (i > 0)
        layout_.strides[i - 1] =
            i == 1 ? 4 * std::int64_t{unit_} : layout_.strides[i - 2] * layout_.sizes[i - 1] + unit_;
    }
    std::int64_t last = layout_.sizes[0];
    for (std::size_t i = 1; i < kRank; ++i) last += layout_.strides[i - 1] * (layout_.sizes[i] - 1);
    bytes_ = random_bytes(static_cast<std::size_t>(bytes_of(element, last)));
    memory_ = on_device(bytes_);
    layout_.data = memory_.get();
    layout_.element = element;
  }

  CUtensorMap map(CUtensorMapSwizzle swizzle) const { return make_tensor_map(layout_, box_, swizzle); }
  std::size_t box_bytes() const {
    std::int64_t count = 1;
    for (int const length : box_) count *= length;
    return static_cast<std::size_t>(bytes_of(element_, count));
  }

  /// What has to be in the box at `at`, whose first coordinate counts units of the engine: see make_tensor_map.
  Bytes expected(std::array<int, kRank> const& at, CUtensorMapSwizzle swizzle) const {
    int const bits = format_of(element_).bits;
    auto const unit_bytes = static_cast<std::size_t>(std::max(bits, 8) / 8);
    int const row_units = static_cast<int>(bytes_of(element_, layout_.sizes[0]) / static_cast<int>(unit_bytes));
    auto const box_units = static_cast<std::size_t>(bytes_of(element_, box_[0])) / unit_bytes;
    Bytes box(box_bytes());
    for (std::size_t i = 0; i < box.size() / unit_bytes; ++i) {
      std::size_t rest = i / box_units;
      int const x = at[0] + static_cast<int>(i % box_units);
      std::int64_t first = std::int64_t{x} * static_cast<int>(unit_bytes);
      bool inside = x >= 0 && x < row_units;
      for (std::size_t d = 1; d < kRank; ++d) {
        int const index = at[d] + static_cast<int>(rest % static_cast<std::size_t>(box_[d]));
        rest /= static_cast<std::size_t>(box_[d]);
        inside = inside && index >= 0 && index < layout_.sizes[d];
        first += bytes_of(element_, layout_.strides[d - 1]) * index;
      }
      if (inside) put(box.data() + swizzled(i * unit_bytes, swizzle), bytes_.data() + first, unit_bytes);
    }
    return box;
  }

 private:
  void put(std::uint8_t* to, std::uint8_t const* from, std::size_t count) const {
    std::memcpy(to, from, count);
    if (element_ != Element::tf32) return;
    std::uint32_t bits = 0;
    std::memcpy(&bits, from, sizeof(bits));
    bits = to_tf32(bits);
    std::memcpy(to, &bits, sizeof(bits));
  }

  Element element_;
  int unit_;  ///< elements in 16 bytes
  TensorLayout<kRank> layout_;
  std::array<int, kRank> box_{};
  Bytes bytes_;
  DeviceBytes memory_;
};

class TensorMaps : public ::testing::TestWithParam<Element> {
 protected:
  void SetUp() override {
    PERFCHECK_NEEDS_GPU();
    int major = 0;
    PERFCHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major != 9) GTEST_SKIP() << "this program holds machine code for compute capability 9.0 only";
  }
};

template <std::size_t kRank>
void expect_boxes(Element element, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  Tensor<kRank> const tensor(element);
  CUtensorMap const map = tensor.map(swizzle);
  // Along the rows, whole pieces of 16 bytes.
  int const piece = 16 * 8 / std::max(format_of(element).bits, 8);
  for (int const shift : {0, 1, -1, 3, 40}) {
    std::array<int, kRank> at{};
    for (std::size_t i = 0; i < kRank; ++i) at[i] = i == 0 ? shift * piece : shift - (i == 2 ? 1 : 0);
    EXPECT_EQ(copied<kRank>(map, at, tensor.box_bytes()), tensor.expected(at, swizzle))
        << to_text(element) << ", " << kRank << " dimensions, from " << shift << ", swizzle of " << bytes_of(swizzle);
  }
}

TEST_P(TensorMaps, BoxesOfEveryRankAreCopiedByteForByte) {
  expect_boxes<1>(GetParam());
  expect_boxes<2>(GetParam());
  expect_boxes<3>(GetParam());
  expect_boxes<4>(GetParam());
  expect_boxes<5>(GetParam());
}

// Boxes have rows of 32 bytes.
TEST_P(TensorMaps, SwizzlesExchangePiecesOf16Bytes) { expect_boxes<3>(GetParam(), CU_TENSOR_MAP_SWIZZLE_32B); }

INSTANTIATE_TEST_SUITE_P(Elements, TensorMaps, ::testing::ValuesIn(kElements),
                         [](auto const& tested) { return std::string(to_text(tested.param)); });

class TensorMap : public TensorMaps {};

TEST_F(TensorMap, SwizzlesOf64And128BytesExchangePiecesAsWell) {
  for (CUtensorMapSwizzle const swizzle : {CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B}) {
    int const columns = bytes_of(swizzle), rows = 32;
    Bytes const bytes = random_bytes(static_cast<std::size_t>(columns * rows));
    DeviceBytes const memory = on_device(bytes);
    auto const map = make_tensor_map<2>(
        {.data = memory.get(), .element = Element::u8, .sizes = {columns, rows}, .strides = {columns}}, {columns, rows},
        swizzle);
    Bytes expected(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) expected[swizzled(i, swizzle)] = bytes[i];
    EXPECT_EQ(copied<2>(map, {0, 0}, bytes.size()), expected) << columns;
  }
}

TEST_F(TensorMap, Tf32IsRoundedToNearestEvenOnItsWay) {
  float const infinity = std::numeric_limits<float>::infinity();
  std::vector<float> const values{1,
                                  -1,
                                  1 + 0x1p-11F,  // a half, up from an even number
                                  1 + 0x3p-11F,  // and from an odd one
                                  -1 - 0x1p-11F,
                                  1 + 0x1p-11F - 0x1p-23F,
                                  0x1p-140F,
                                  std::numeric_limits<float>::max(),
                                  0,
                                  infinity,
                                  -infinity,
                                  std::numeric_limits<float>::quiet_NaN()};
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  DeviceBytes const memory = on_device(bytes);
  auto const map = make_tensor_map<1>({.data = memory.get(),
                                       .element = Element::tf32,
                                       .sizes = {static_cast<std::int64_t>(values.size())},
                                       .strides = {}},
                                      {static_cast<int>(values.size())});
  Bytes const box = copied<1>(map, {0}, bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, box.data() + i * sizeof(bits), sizeof(bits));
    auto const value = std::bit_cast<float>(bits);
    if (std::isnan(values[i])) {
      EXPECT_TRUE(std::isnan(value));
    } else {
      auto const expected =
          std::isinf(values[i]) ? values[i] : std::bit_cast<float>(to_tf32(std::bit_cast<std::uint32_t>(values[i])));
      EXPECT_EQ(value, expected) << values[i] << ", as bits " << std::hex << bits;
    }
  }
}

TEST_F(TensorMap, WhatTheEngineCannotCopyIsRefusedWithTheReason) {
  DeviceBytes const memory = on_device(4096);
  try {
    make_tensor_map<2>({.data = memory.get(), .element = Element::f16, .sizes = {40, 30}, .strides = {44}}, {64, 8});
    FAIL() << "a map was made";
  } catch (std::runtime_error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("a tensor map: the stride of dimension 1 is 44 elements"));
  }
}

}  // namespace
}  // namespace perfcheck
