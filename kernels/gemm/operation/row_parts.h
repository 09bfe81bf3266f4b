// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which rows of A and D belong to which B: the matrices of a batch, all of one size, or groups, each of its own size.
#pragma once

#include <perfcheck/gemm.h>

#include "perfcheck/verify/element.h"

#include <cstdint>
#include <string>

namespace perfcheck::gemm {

/// Some of a part's rows, or none.
struct RowRange {
  std::int64_t first = 0, rows = 0;
  int part = 0;
};

/// Stacked rows, divided into parts that have a B each. Small enough to be a parameter of kernels: a kernel under test
/// can write to all memory, but not to parameters.
struct RowParts {
  int count = 1;                               ///< parts; groups without rows are not counted
  int matrices = 1;                            ///< matrices B, including those of groups without rows
  bool grouped = false;                        ///< parts differ in size
  std::int64_t each = 0;                       ///< if not grouped: rows of each part
  std::uint32_t starts[kMostGroups + 1] = {};  ///< if grouped: first row of each part, then the end of the last
  std::uint16_t numbers[kMostGroups] = {};     ///< if grouped: the group that each part is

  static RowParts whole(std::int64_t rows) {
    RowParts parts;
    parts.each = rows;
    return parts;
  }

  PERFCHECK_HOST_DEVICE std::int64_t first(int part) const {
    return grouped ? static_cast<std::int64_t>(starts[part]) : part * each;
  }
  PERFCHECK_HOST_DEVICE std::int64_t rows(int part) const { return grouped ? first(part + 1) - first(part) : each; }
  PERFCHECK_HOST_DEVICE std::int64_t rows() const { return first(count); }
  /// The number of the part's B.
  PERFCHECK_HOST_DEVICE int matrix(int part) const { return grouped ? numbers[part] : part; }
  PERFCHECK_HOST_DEVICE int part_of(std::int64_t row) const {
    if (!grouped) return static_cast<int>(row / each);
    return last_part([&](int part) { return first(part) <= row; });
  }

  /// How many ranges of at most `size` rows cover all rows without crossing from part to part. A few are empty.
  PERFCHECK_HOST_DEVICE std::int64_t ranges(int size) const {
    return grouped ? rows() / size + count : count * ((each + size - 1) / size);
  }
  PERFCHECK_HOST_DEVICE RowRange range(std::int64_t index, int size) const {
    int part = 0;
    std::int64_t before = 0;  // ranges of earlier parts
    if (grouped) {
      // The ranges of part p begin at first(p) / size + p: never too few, and found without counting.
      part = last_part([&](int p) { return first(p) / size + p <= index; });
      before = first(part) / size + part;
    } else {
      std::int64_t const of_each = (each + size - 1) / size;
      part = static_cast<int>(index / of_each);
      before = part * of_each;
    }
    std::int64_t const begin = (index - before) * size, left = rows(part) - begin;
    return {first(part) + begin, left < 0 ? 0 : left < size ? left : size, part};
  }

 private:
  /// The last part for which `holds(part)`. It must hold for the first part, and for all up to the result.
  template <class Holds>
  PERFCHECK_HOST_DEVICE int last_part(Holds const& holds) const {
    int low = 0, high = count;
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      (holds(middle) ? low : high) = middle;
    }
    return low;
  }
};

RowParts row_parts(GemmProblem const& problem);

/// What messages say about a row: "; row 127 is the last of group 0, which has rows 0-127". Empty without groups.
std::string describe_row(RowParts const& parts, std::int64_t row);

}  // namespace perfcheck::gemm
