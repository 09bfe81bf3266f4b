// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums that a wgmma leaves in the registers of a warpgroup on the emulated GPU, each compared bit by bit with its
// definition, of one number at a time.
#include "products.h"
#include "simulator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfcheck::emulated {
namespace {

constexpr int kRows = 64, kMostColumns = 256;
/// Where the tiles begin, in shared memory of kBytes.
constexpr std::uint32_t kA = 1024, kB = kA + 16 * 1024, kBytes = 96 * 1024;

/// With steps of 1024 bytes from eight lines to the next, or from eight steps of k, and of 8 KiB between 64 lines that
/// are contiguous.
std::uint64_t descriptor_at(std::uint32_t address) {
  return address / 16 | std::uint64_t{8 * 1024 / 16} << 16 | std::uint64_t{1024 / 16} << 32;
}

/// What a sum becomes when the products of `x` and `y` are added to it.
template <class In>
Number<In> defined_sum(Number<In> sum, std::vector<Number<In>> const& x, std::vector<Number<In>> const& y) {
  Number<In> products = 0;
  for (std::size_t k = 0; k < x.size(); ++k) products += x[k] * y[k];
  return sum + products;
}

/// Hopper aligns all terms to the largest, and cuts them off 13 bits behind its first one.
template <>
float defined_sum<__nv_fp8_e4m3>(float sum, std::vector<float> const& x, std::vector<float> const& y) {
  std::vector<float> terms{sum};
  for (std::size_t k = 0; k < x.size(); ++k) terms.push_back(x[k] * y[k]);
  float largest = 0;
  for (float const term : terms) {
    if (std::isnan(term)) return std::numeric_limits<float>::quiet_NaN();
    largest = std::max(largest, std::abs(term));
  }
  if (largest >= 0x1p63F) return std::numeric_limits<float>::quiet_NaN();  // FP8 has no such products
  if (largest == 0) return 0;
  int const last_bit = std::ilogb(largest) - 13;
  double total = 0;
  for (float const term : terms) total += std::trunc(std::ldexp(double{term}, -last_bit));
  return static_cast<float>(std::ldexp(total, last_bit));
}

/// NaN equals NaN, whatever its bits.
template <class T>
bool is_same(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  } else {
    return a == b;
  }
}

/// The bytes of shared memory: elements of every kind; NaN, which most bytes of FP8 would meet, is rare.
template <class In>
std::vector<unsigned char> memory(std::mt19937& random) {
  std::vector<unsigned char> bytes(kBytes);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  if constexpr (std::is_same_v<In, __nv_fp8_e4m3>) {
    for (unsigned char& byte : bytes) byte = (byte & 0x7F) == 0x7F && random() % 64 != 0 ? 0 : byte;
  } else if constexpr (std::is_same_v<In, float>) {
    for (std::size_t i = 3; i < bytes.size(); i += 4) bytes[i] = static_cast<unsigned char>(0x3E | (bytes[i] & 0x81));
  } else if constexpr (sizeof(In) == 2) {
    for (std::size_t i = 1; i < bytes.size(); i += 2) {
      if ((bytes[i] & 0x7C) == 0x7C && random() % 64 != 0) bytes[i] &= 0x83;
    }
  }
  return bytes;
}

template <class In>
class Products : public testing::Test {
 protected:
  /// Multiplies a tile of 64 rows with one of `columns`, and compares every sum.
  void expect_defined_sums(int columns, bool across, bool add) {
    auto const bytes = memory<In>(random_);
    std::vector<Number<In>> first(std::size_t{kRows} * kMostColumns);
    for (auto& sum : first) sum = static_cast<Number<In>>(static_cast<int>(random_() % 2001) - 1000);
    if constexpr (std::is_same_v<In, __nv_fp8_e4m3>) first[0] = 0x1p127F;
    run({.blocks = 1, .cluster = 1, .threads = 128, .shared_bytes = kBytes}, [&] {
      int const thread = static_cast<int>(thread_index().x);
      if (thread == 0) std::ranges::copy(bytes, shared_memory());
      named_barrier(0, 128);
      OperandTile const a(descriptor_at(kA), kRows, sizeof(In), across);
      OperandTile const b(descriptor_at(kB), columns, sizeof(In), across);
      Rows<In> rows;
      read_rows<In>(a, rows);
      // As registers hold them: two neighbours of each eight columns, of a row and of the one eight below.
      auto const place = [&](int i) {
        int const row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
        return std::pair(row, i / 4 * 8 + thread % 4 * 2 + i % 2);
      };
      std::vector<Number<In>> d(static_cast<std::size_t>(columns / 2));
      auto const before = [&](int i) {
        auto const [row, column] = place(i);
        return first[static_cast<std::size_t>(row * kMostColumns + column)];
      };
      for (int i = 0; i < columns / 2; ++i) d[static_cast<std::size_t>(i)] = before(i);
      multiply<In>(d.data(), rows, b, columns, add);
      for (int i = 0; i < columns / 2; ++i) {
        auto const [row, column] = place(i);
        auto const expected = defined_sum<In>(add ? before(i) : Number<In>{0}, line(a, row), line(b, column));
        ASSERT_TRUE(is_same(d[static_cast<std::size_t>(i)], expected))
            << "row " << row << ", column " << column << ": " << d[static_cast<std::size_t>(i)] << ", not " << expected;
      }
    });
  }

 private:
  static std::vector<Number<In>> line(OperandTile const& tile, int number) {
    std::vector<Number<In>> numbers;
    for (int k = 0; k < kSteps<In>; ++k) numbers.push_back(number_at<In>(tile.at(number, k)));
    return numbers;
  }
  std::mt19937 random_{1};
};

using Inputs = testing::Types<__half, float, std::int8_t, __nv_fp8_e4m3>;
TYPED_TEST_SUITE(Products, Inputs);

TYPED_TEST(Products, AreThoseOfTheDefinitionForEveryNumberOfColumns) {
  for (int columns = 8; columns <= kMostColumns; columns += 8) {
    for (bool const across : {false, true}) {
      if (across && sizeof(TypeParam) != 2) continue;  // no such instruction
      SCOPED_TRACE(fmt::format("{} columns{}", columns, across ? ", lines contiguous" : ""));
      ASSERT_NO_FATAL_FAILURE(this->expect_defined_sums(columns, across, columns % 16 == 0));
    }
  }
}

}  // namespace
}  // namespace perfcheck::emulated
