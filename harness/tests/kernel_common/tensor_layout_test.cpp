// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <perfcheck/tensor_layout.h>

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck {
namespace {

using ::testing::HasSubstr;

alignas(16) constexpr char kMemory[32]{};

/// 40 x 30 x 20 elements of FP16, boxes of 64 x 8 x 2.
struct Tensor {
  void const* data = kMemory;
  Element element = Element::f16;
  std::vector<std::int64_t> sizes{40, 30, 20};
  std::vector<std::int64_t> strides{48, 1440};
  std::vector<int> box{64, 8, 2};
  int swizzle_bytes = 0;

  std::string why_not() const { return why_no_tensor_map({data, element, sizes, strides, box, swizzle_bytes}); }
};

TEST(TensorLayout, WhatTheEngineCanCopyIsTaken) {
  EXPECT_EQ(Tensor{}.why_not(), "");
  EXPECT_EQ((Tensor{.swizzle_bytes = 128}.why_not()), "");
  EXPECT_EQ((Tensor{.element = Element::s4, .strides = {64, 1920}}.why_not()), "");
  EXPECT_EQ((Tensor{.sizes = {7}, .strides = {}, .box = {8}}.why_not()), "") << "a vector of any length";
  EXPECT_EQ((Tensor{.sizes = {1, 1, std::int64_t{1} << 32}}.why_not()), "");
}

struct Refused {
  Tensor tensor;
  char const* reason;
};

TEST(TensorLayout, WhatItCannotCopyIsRefusedWithTheDimensionAndTheReason) {
  std::int64_t const huge = std::int64_t{1} << 40;
  Refused const all[] = {
      {{.data = kMemory + 8}, "the data is not aligned to 16 bytes"},
      {{.sizes = {0, 30, 20}}, "the size of dimension 0 is 0, not 1 to 2^32"},
      {{.sizes = {40, 30, -1}}, "the size of dimension 2 is -1, not 1 to 2^32"},
      {{.sizes = {40, huge, 20}}, "the size of dimension 1 is 1099511627776, not 1 to 2^32"},
      {{.box = {64, 0, 2}}, "the box of dimension 1 is 0, not 1 to 256"},
      {{.box = {64, 8, 257}}, "the box of dimension 2 is 257, not 1 to 256"},
      {{.box = {12, 8, 2}}, "the box of dimension 0 is 12 elements, not a multiple of 16 bytes"},
      {{.strides = {44, 1440}}, "the stride of dimension 1 is 44 elements, not a multiple of 16 bytes from 16 to 2^40"},
      {{.strides = {48, 0}}, "the stride of dimension 2 is 0 elements, not a multiple of 16 bytes from 16 to 2^40"},
      {{.strides = {48, huge / 2}}, "the stride of dimension 2 is 549755813888 elements, not a multiple"},
      {{.swizzle_bytes = 64}, "the box of dimension 0 is 64 elements, longer than the swizzle's 64 bytes"},
      {{.element = Element::s4, .sizes = {41, 30, 20}, .strides = {64, 1920}},
       "the size of dimension 0 is 41, which ends within a byte"},
  };
  for (auto const& [tensor, reason] : all) EXPECT_THAT(tensor.why_not(), HasSubstr(reason));
}

}  // namespace
}  // namespace perfcheck
