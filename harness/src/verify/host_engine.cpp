// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/engine.h"

#include <algorithm>
#include <cstring>

namespace perfcheck::verify {
namespace {

/// Widens `found` by one element; callers go through a matrix row by row.
void add(Found& found, std::int64_t row, std::int64_t column) {
  if (found.count == 0) {
    found = {0, row, row, column, column};
  }
  ++found.count;
  found.last_row = row;
  found.first_column = std::min(found.first_column, column);
  found.last_column = std::max(found.last_column, column);
}

template <class Visit>
void for_each_element(std::int64_t rows, std::int64_t columns, Visit const& visit) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      visit(row, column);
    }
  }
}

class HostEngine final : public Engine {
 public:
  void fill(MatrixView const& matrix, Fill const& fill) override {
    for_each_element(matrix.rows, matrix.columns, [&](std::int64_t row, std::int64_t column) {
      float const value = value_at(fill, matrix.rows, matrix.columns, row, column);
      store_bits(matrix.element, matrix.data, matrix.index(row, column), encode_float(matrix.element, value));
    });
  }

  void fill_words(void* data, std::uint32_t word, std::size_t bytes) override {
    std::fill_n(static_cast<std::uint32_t*>(data), bytes / sizeof word, word);
  }

  void copy(void* to, void const* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }

  std::uint64_t fingerprint(void const* data, std::size_t bytes) override {
    auto const* from = static_cast<std::byte const*>(data);
    std::uint64_t sum = 0;
    for (std::size_t index = 0; index * 8 < bytes; ++index) {
      std::uint64_t word = 0;
      std::memcpy(&word, from + index * 8, std::min<std::size_t>(8, bytes - index * 8));
      sum += fingerprint_word(index, word);
    }
    return sum;
  }

  Found find_other(MatrixView const& matrix, std::uint32_t bits) override {
    Found found;
    for_each_element(matrix.rows, matrix.columns, [&](std::int64_t row, std::int64_t column) {
      if (load_bits(matrix.element, matrix.data, matrix.index(row, column)) != bits) {
        add(found, row, column);
      }
    });
    return found;
  }

  Found find_different(MatrixView const& x, MatrixView const& y) override {
    Found found;
    for_each_element(x.rows, x.columns, [&](std::int64_t row, std::int64_t column) {
      if (load_bits(x.element, x.data, x.index(row, column)) != load_bits(y.element, y.data, y.index(row, column))) {
        add(found, row, column);
      }
    });
    return found;
  }

  Comparison compare(MatrixView const& result, Expectation const& expectation) override {
    Comparison comparison;
    for_each_element(result.rows, result.columns, [&](std::int64_t row, std::int64_t column) {
      auto const expected = expected_at(expectation, result.columns, row, column);
      auto const bits = load_bits(result.element, result.data, result.index(row, column));
      auto const judgement = judge(result.element, bits, expected.reference, expected.scale, expectation.bound);
      if (judgement.wrong) {
        add(comparison.wrong, row, column);
      }
      comparison.worst = std::max(comparison.worst, judgement.error_over_bound);
    });
    return comparison;
  }
};

}  // namespace

std::unique_ptr<Engine> make_host_engine() { return std::make_unique<HostEngine>(); }

}  // namespace perfcheck::verify
