// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "row_parts.h"

#include <fmt/format.h>

namespace perfcheck::gemm {

RowParts row_parts(GemmProblem const& problem) {
  RowParts parts;
  parts.count = parts.matrices = problem.batch;
  parts.each = problem.m;
  if (problem.groups.empty()) return parts;
  parts = RowParts();
  parts.grouped = true;
  parts.count = 0;
  parts.matrices = static_cast<int>(problem.groups.size());
  std::uint32_t row = 0;
  for (int group = 0; group < parts.matrices; ++group) {
    int const rows = problem.groups[static_cast<std::size_t>(group)];
    if (rows == 0) continue;
    parts.numbers[parts.count] = static_cast<std::uint16_t>(group);
    row += static_cast<std::uint32_t>(rows);
    parts.starts[++parts.count] = row;
  }
  return parts;
}

std::string describe_row(RowParts const& parts, std::int64_t row) {
  if (!parts.grouped) return "";
  int const part = parts.part_of(row);
  std::int64_t const first = parts.first(part), last = parts.first(part + 1) - 1;
  char const* const where = row == last && row == first ? "all"
                            : row == first              ? "the first"
                            : row == last               ? "the last"
                                                        : "";
  return fmt::format("; row {} is {}{}group {}, which has rows {}-{}", row, where, *where == '\0' ? "in " : " of ",
                     parts.matrix(part), first, last);
}

}  // namespace perfcheck::gemm
