// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/defences.h"
#include "perfcheck/verify/engine.h"
#include "perfcheck/verify/secret_line.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

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

/// Calls visit(line address, key, line number) for every line of contiguous elements of all sets.
template <class Visit>
void for_each_line(SecretMatrices const& input, SetRange sets, std::uint64_t secret, Visit const& visit) {
  MatrixLines const lines = input.first.lines();
  for (int set = sets.first; set < sets.first + sets.count; ++set) {
    SecretKey const key = secret_key(secret, set, input.operand);
    auto* const data = static_cast<std::byte*>(input.of(set).data);
    for (std::int64_t line = 0; line < lines.count; ++line) {
      visit(data + bytes_of(input.first.element, line * lines.stride), key, static_cast<std::uint32_t>(line));
    }
  }
}

Bits bits_in_line(SecretMatrices const& input, SecretKey const& key, std::uint32_t line, std::uint32_t at) {
  return input.first.lines().by_rows ? secret_bits(input.format(), key, line, at)
                                     : secret_bits(input.format(), key, at, line);
}

/// Large enough that copies run at full speed, small enough that the end is copied soon.
constexpr std::size_t kSeizedTogether = std::size_t{64} << 10U;

class HostEngine final : public Engine {
 public:
  void fill(MatrixView const& matrix, Fill const& fill) override {
    for_each_element(matrix.rows, matrix.columns, [&](std::int64_t row, std::int64_t column) {
      double const value = value_at(fill, matrix.rows, matrix.columns, row, column);
      store_bits(matrix.element, matrix.data, matrix.index(row, column), encode(matrix.element, value));
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

  Found find_other(MatrixView const& matrix, Bits bits) override {
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
      auto const judgement = judge(result.element, bits, expected, expectation.bound);
      if (judgement.wrong) {
        add(comparison.wrong, row, column);
      }
      comparison.worst = std::max(comparison.worst, judgement.error_over_bound);
    });
    return comparison;
  }

  void renew(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret,
             std::span<PoisonedMemory const> poisoned) override {
    if (model::applies(model::Defence::poison)) {
      for (auto const& memory : poisoned) fill_words(memory.data, memory.word, memory.bytes);
    }
    for (auto const& input : inputs) {
      MatrixLines const lines = input.first.lines();
      auto const length = static_cast<std::uint32_t>(lines.length);
      for_each_line(input, sets, secret, [&](std::byte* data, SecretKey const& key, std::uint32_t line) {
        if (input.first.element == Element::f32 && !input.scales) {
          secret_line(key, line, lines.by_rows, {reinterpret_cast<float*>(data), length});
          return;
        }
        for (std::uint32_t at = 0; at < length; ++at) {
          store_bits(input.first.element, data, at, bits_in_line(input, key, line, at));
        }
      });
    }
  }

  void renew_from(std::span<SecretMatrices const> inputs, std::uint64_t const* secret) override {
    renew(inputs, {0, 1}, *secret, {});
  }

  void chain(void const* data, std::size_t bytes, std::uint64_t const* secret, std::uint64_t* next) override {
    auto const* words = static_cast<std::uint64_t const*>(data);
    for (std::size_t index = 0; index < bytes / 8; ++index) *next += chained_word(*secret, index, words[index]);
  }

  std::uint64_t count_changed(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret) override {
    std::uint64_t changed = 0;
    for (auto const& input : inputs) {
      auto const length = static_cast<std::uint32_t>(input.first.lines().length);
      for_each_line(input, sets, secret, [&](std::byte* data, SecretKey const& key, std::uint32_t line) {
        for (std::uint32_t at = 0; at < length; ++at) {
          changed += load_bits(input.first.element, data, at) != bits_in_line(input, key, line, at) ? 1U : 0U;
        }
      });
    }
    return changed;
  }

  void seize(void* to, void const* from, std::size_t bytes) override {
    for (std::size_t end = bytes; end != 0;) {
      std::size_t const begin = end > kSeizedTogether ? end - kSeizedTogether : 0;
      std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<std::byte const*>(from) + begin, end - begin);
      end = begin;
    }
  }
};

}  // namespace

std::unique_ptr<Engine> make_host_engine() { return std::make_unique<HostEngine>(); }

}  // namespace perfcheck::verify
