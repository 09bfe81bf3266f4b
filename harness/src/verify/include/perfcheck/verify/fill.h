// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a matrix is filled with: a pure function of seed, row and column, so that the host and a device make the same
// matrix bit by bit, in any order and layout.
#pragma once

#include "perfcheck/verify/element.h"

#include <cmath>

namespace perfcheck::verify {

enum class Pattern {
  normal,           ///< mean 0, variance 1, within +-3.5: the scaled sum of four uniform numbers
  uniform,          ///< [0, 1)
  integers,         ///< 0, or with probability `share` one of +-1 ... +-limit
  one_hot_rows,     ///< 0 or 1; all columns are used once over the rows, shifted against the diagonal
  one_hot_columns,  ///< its mirror image: all rows are used once over the columns
  row_values,       ///< 1 ... limit by row, the same in every column
  column_values,    ///< one_hot_columns times 1 ... limit by column
  periodic,         ///< odd integers below 2 * limit that repeat after `period` columns
  mirrored,         ///< rows below `period`: odd integers below 2 * limit; the next `period` rows take them back, and
                    ///< with probability `share` leave +-1 behind; 0 after that
  scaled_rows,      ///< normal times a power of two for every `period` rows: 2^e or 2^-e, limit / 2 <= e <= limit
  scaled_columns,   ///< the same for every `period` columns
  range,            ///< the integers from `least` on, `limit` of them, all equally likely
  scales,           ///< [0.5, 2) times 2^least: like scale factors of quantised elements
};

struct Fill {
  Pattern pattern = Pattern::integers;
  std::uint64_t seed = 0;
  std::uint32_t limit = 1;
  double share = 1;
  std::int64_t period = 0;
  std::int32_t least = 0;
  bool fine = false;        ///< real numbers have 53 random bits instead of 24
  bool magnitudes = false;  ///< without signs
  /// Rows, or columns, of one matrix where several are stacked; each has patterns and values of its own. 0: one matrix.
  std::int64_t stacked_rows = 0, stacked_columns = 0;

  bool operator==(Fill const&) const = default;
};

/// Mixes seed, row and column into 64 bits that look random.
PERFCHECK_HOST_DEVICE inline std::uint64_t mix(std::uint64_t seed, std::uint64_t row, std::uint64_t column) {
  std::uint64_t h = seed + row * 0x9e3779b97f4a7c15U + column * 0xd1342543de82ef95U;
  for (int round = 0; round < 2; ++round) {
    h = (h ^ h >> 32U) * 0xd6e8feb86659fd93U;
  }
  return h ^ h >> 32U;
}

namespace detail {

/// +-1 ... +-limit with probability `share`, else 0. Low bits decide whether, middle bits which, the top bit the sign.
PERFCHECK_HOST_DEVICE inline float random_integer(std::uint64_t h, std::uint32_t limit, double share) {
  if (static_cast<double>(h & 0xffffU) >= share * 65536.0) return 0.0F;
  auto const magnitude = static_cast<float>(1 + (h >> 16U & 0xffffffffU) % limit);
  return h >> 63U != 0 ? -magnitude : magnitude;
}

PERFCHECK_HOST_DEVICE inline float odd_integer(std::uint64_t h, std::uint32_t limit) {
  return static_cast<float>(1 + 2 * ((h >> 8U & 0xffffffffU) % limit));
}

PERFCHECK_HOST_DEVICE inline float one_hot(std::int64_t line, std::int64_t lines, std::int64_t at,
                                           std::int64_t length) {
  return (line + 1) % lines % length == at % lines ? 1.0F : 0.0F;
}

PERFCHECK_HOST_DEVICE inline float mirrored_value(Fill const& fill, std::int64_t row, std::int64_t column) {
  if (row >= 2 * fill.period) return 0.0F;
  bool const back = row >= fill.period;
  auto const r = static_cast<std::uint64_t>(back ? row - fill.period : row);
  auto const c = static_cast<std::uint64_t>(column);
  float const value = odd_integer(mix(fill.seed, r, c), fill.limit);
  return back ? random_integer(mix(fill.seed + 1, r, c), 1, fill.share) - value : value;
}

PERFCHECK_HOST_DEVICE inline float normal_value(std::uint64_t seed, std::uint64_t row, std::uint64_t column) {
  std::uint64_t const h = mix(seed, row, column);
  auto const sum = static_cast<std::int32_t>((h & 0xffffU) + (h >> 16U & 0xffffU) + (h >> 32U & 0xffffU) + (h >> 48U));
  // Four uniform 16-bit numbers have mean 2 * 65535 and standard deviation 65536 / sqrt(3).
  return static_cast<float>(sum - 131070) * 2.64289979e-05F;
}

PERFCHECK_HOST_DEVICE inline float power_of_two(Fill const& fill, std::int64_t line) {
  std::uint64_t const h = mix(fill.seed + 1, static_cast<std::uint64_t>(line / fill.period), 0);
  auto const least = fill.limit / 2;
  auto const exponent = static_cast<int>(least + h % (fill.limit - least + 1));
  return ldexpf(1.0F, h >> 63U != 0 ? -exponent : exponent);
}

}  // namespace detail

namespace detail {

PERFCHECK_HOST_DEVICE inline float value_in_matrix(Fill const& fill, std::int64_t rows, std::int64_t columns,
                                                   std::int64_t row, std::int64_t column) {
  auto const r = static_cast<std::uint64_t>(row);
  auto const c = static_cast<std::uint64_t>(column);
  switch (fill.pattern) {
    case Pattern::normal: return normal_value(fill.seed, r, c);
    case Pattern::uniform: return static_cast<float>(mix(fill.seed, r, c) >> 40U) * 5.9604644775390625e-8F;
    case Pattern::integers: return random_integer(mix(fill.seed, r, c), fill.limit, fill.share);
    case Pattern::one_hot_rows: return one_hot(row, rows, column, columns);
    case Pattern::one_hot_columns: return one_hot(column, columns, row, rows);
    case Pattern::row_values: return static_cast<float>(1 + row % fill.limit);
    case Pattern::column_values:
      return one_hot(column, columns, row, rows) * static_cast<float>(1 + column % fill.limit);
    case Pattern::periodic:
      return odd_integer(mix(fill.seed, r, static_cast<std::uint64_t>(column % fill.period)), fill.limit);
    case Pattern::mirrored: return mirrored_value(fill, row, column);
    case Pattern::scaled_rows: return normal_value(fill.seed, r, c) * power_of_two(fill, row);
    case Pattern::scaled_columns: return normal_value(fill.seed, r, c) * power_of_two(fill, column);
    case Pattern::range:
      return static_cast<float>(fill.least + static_cast<std::int64_t>(mix(fill.seed, r, c) % fill.limit));
    case Pattern::scales:
      // Only one rounding, in the conversion: the compiler might fuse a multiplication and an addition.
      return ldexpf(static_cast<float>(8388608 + 3 * static_cast<std::int64_t>(mix(fill.seed, r, c) >> 41U)),
                    fill.least - 24);
  }
  return 0.0F;
}

/// Within 2^-24 of 1, in steps of 2^-53.
PERFCHECK_HOST_DEVICE inline double fine_factor(std::uint64_t h) {
  return 1.0 + static_cast<double>(h & 0x1fffffffU) * 1.1102230246251565e-16;
}

}  // namespace detail

/// The element before it is rounded to the matrix's format. Every operation is exact except one final multiplication,
/// so that the host and every device agree.
PERFCHECK_HOST_DEVICE inline double value_at(Fill fill, std::int64_t rows, std::int64_t columns, std::int64_t row,
                                             std::int64_t column) {
  if (fill.stacked_rows != 0) {
    fill.seed = mix(fill.seed, static_cast<std::uint64_t>(row / fill.stacked_rows), 0x737461636bU);
    row %= fill.stacked_rows;
    rows = fill.stacked_rows;
  }
  if (fill.stacked_columns != 0) {
    fill.seed = mix(fill.seed, static_cast<std::uint64_t>(column / fill.stacked_columns), 0x737461636bU);
    column %= fill.stacked_columns;
    columns = fill.stacked_columns;
  }
  auto value = static_cast<double>(detail::value_in_matrix(fill, rows, columns, row, column));
  if (fill.fine) {
    value *= detail::fine_factor(
        mix(fill.seed ^ 0x66696e65U, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column)));
  }
  return fill.magnitudes && value < 0 ? -value : value;
}

}  // namespace perfcheck::verify
