// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace perfcheck::report {

struct Column {
  std::string title;
  enum class Align { left, right } align = Align::left;
};

/// Title line and rows, two spaces between columns, no blanks at the ends of lines. Control characters in cells are
/// made harmless for a terminal; columns are aligned as far as they hold ASCII. `colors` may hold a terminal colour
/// code per row and column; an empty one leaves the cell plain.
std::string columns(std::vector<Column> const& columns, std::vector<std::vector<std::string>> rows,
                    std::vector<std::vector<std::string>> const& colors = {});

}  // namespace perfcheck::report
