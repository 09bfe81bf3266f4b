// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/columns.h"

#include "perfcheck/model/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::report {
namespace {

constexpr char const* kResetColor = "\x1b[0m";

std::string aligned(std::string const& cell, std::size_t width, Column::Align align) {
  return align == Column::Align::left ? fmt::format("{:<{}}", cell, width) : fmt::format("{:>{}}", cell, width);
}

std::string joined(std::vector<std::string> cells, std::vector<std::size_t> const& widths,
                   std::vector<Column> const& columns, std::vector<std::string> const& colors) {
  while (!cells.empty() && cells.back().empty()) {
    cells.pop_back();
  }
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    bool const last = i + 1 == cells.size();
    std::string const cell =
        last && columns[i].align == Column::Align::left ? cells[i] : aligned(cells[i], widths[i], columns[i].align);
    bool const plain = i >= colors.size() || colors[i].empty();
    line += plain ? cell : colors[i] + cell + kResetColor;
    line += last ? "" : "  ";
  }
  return line + "\n";
}

}  // namespace

std::string columns(std::vector<Column> const& columns, std::vector<std::vector<std::string>> rows,
                    std::vector<std::vector<std::string>> const& colors) {
  for (auto& row : rows) {
    for (std::string& cell : row) {
      cell = model::one_line(cell);
    }
  }
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    titles.push_back(columns[i].title);
    widths.push_back(columns[i].title.size());
    for (auto const& row : rows) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text = joined(titles, widths, columns, {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += joined(rows[i], widths, columns, i < colors.size() ? colors[i] : std::vector<std::string>{});
  }
  return text;
}

}  // namespace perfcheck::report
