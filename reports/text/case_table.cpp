// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/case_table.h"

#include "perfcheck/model/one_line.h"
#include "perfcheck/report/columns.h"
#include "perfcheck/report/format.h"
#include "perfcheck/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace perfcheck::report {
namespace {

constexpr char const* kNothing = "-";
// Index of the first column of figures. The columns before it, and the last one, are never dropped.
constexpr std::size_t kFirstFigure = 1;

/// Metrics that have a column, on this side of the change.
std::vector<MetricRow const*> columns_at(Place place) {
  std::vector<MetricRow const*> found;
  for (MetricRow const& metric : metrics()) {
    if (metric.column.title != nullptr && metric.column.place == place) {
      found.push_back(&metric);
    }
  }
  return found;
}

std::vector<Column> all_columns() {
  using Align = Column::Align;
  std::vector<Column> all{{"case", Align::left}};
  for (Place const place : {Place::before_change, Place::after_change}) {
    if (place == Place::after_change) {
      all.push_back({"change", Align::right});
    }
    for (MetricRow const* metric : columns_at(place)) {
      all.push_back({metric->column.title, Align::right});
    }
  }
  all.push_back({"outcome", Align::left});
  return all;
}

std::vector<std::string> cells_of(CaseRow const& row) {
  std::vector<std::string> cells{row.id};
  for (Place const place : {Place::before_change, Place::after_change}) {
    if (place == Place::after_change) {
      cells.push_back(format_change(row.change));
    }
    for (MetricRow const* metric : columns_at(place)) {
      cells.push_back(text_of(*metric, row));
    }
  }
  cells.push_back(row.outcome);
  return cells;
}

char const* color_of(CaseRow const& row) {
  if (row.failed) {
    return row.rank <= 7 ? "\x1b[31m" : "\x1b[33m";  // red: regressed or broken; yellow: undecided
  }
  bool const good =
      row.outcome == "pass" || row.outcome == "measured" || row.outcome == "verified" || row.outcome == "improved";
  return good ? "\x1b[32m" : "";
}

/// Drops the columns of figures that no row has.
void drop_empty_columns(std::vector<Column>& columns, std::vector<std::vector<std::string>>& rows) {
  for (std::size_t i = columns.size() - 1; i-- > kFirstFigure;) {
    bool const empty = std::all_of(rows.begin(), rows.end(), [&](auto const& row) { return row[i] == kNothing; });
    if (empty) {
      auto const offset = static_cast<std::ptrdiff_t>(i);
      columns.erase(columns.begin() + offset);
      for (auto& row : rows) {
        row.erase(row.begin() + offset);
      }
    }
  }
}

bool is_skipped(CaseRow const& row) { return row.outcome == "skipped"; }

bool wanted(CaseRow const& row, TableStyle const& style) {
  switch (style.rows) {
    case TableStyle::Rows::all: return !is_skipped(row);
    case TableStyle::Rows::all_and_skipped: return true;
    case TableStyle::Rows::attention: return row.failed;
  }
  return true;
}

std::string skipped_summary(std::vector<CaseRow> const& rows) {
  std::map<std::string, int> counts;
  for (CaseRow const& row : rows) {
    if (is_skipped(row)) {
      ++counts[row.skip_reason ? std::string(model::to_text(*row.skip_reason)) : "no reason given"];
    }
  }
  std::vector<std::string> parts;
  for (auto const& [reason, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, reason));
  }
  return parts.empty() ? "" : fmt::format("skipped: {} (--verbose lists them)\n", fmt::join(parts, ", "));
}

bool explains(CaseRow const& row, TableStyle const& style) {
  return row.failed || row.outcome == "improved" ||
         (is_skipped(row) && style.rows == TableStyle::Rows::all_and_skipped);
}

/// The reasons for the rows' outcomes; a reason that many of them share is given once.
std::string reasons(std::vector<CaseRow> const& rows, TableStyle const& style) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (CaseRow const& row : rows) {
    if (!explains(row, style) || row.reason.empty()) {
      continue;
    }
    std::string title = fmt::format("{}: {}", row.outcome, model::one_line(row.reason));
    if (!row.also_changed.empty()) {
      title += "\n    " + model::one_line(row.also_changed);
    }
    auto const known =
        std::find_if(groups.begin(), groups.end(), [&](auto const& group) { return group.first == title; });
    std::vector<std::string>& ids =
        known == groups.end() ? groups.emplace_back(title, std::vector<std::string>{}).second : known->second;
    ids.push_back(model::one_line(row.id));
  }
  std::string text;
  for (auto const& [title, ids] : groups) {
    text += ids.size() == 1 ? fmt::format("{}\n    {}\n", ids.front(), title)
                            : fmt::format("{} cases, {} first\n    {}\n", ids.size(), ids.front(), title);
  }
  return text.empty() ? text : "\n" + text;
}

/// Values that the rows have, as percentages.
class Sizes {
 public:
  Sizes(std::vector<CaseRow> const& rows, std::optional<double> CaseRow::* share) {
    for (CaseRow const& row : rows) {
      if (row.*share) {
        double const size = 100 * *(row.*share);
        largest_ = sizes_.empty() || size > *std::ranges::max_element(sizes_) ? row.id : largest_;
        sizes_.push_back(size);
      }
    }
  }

  std::size_t count() const { return sizes_.size(); }
  std::string const& largest() const { return largest_; }
  /// The value below which this share of them lies: "0.8 %".
  std::string at(double p) const {
    double const size = stats::quantile(sizes_, p).value();
    return fmt::format("{:.{}f} %", size, size < 10 ? 1 : 0);
  }

 private:
  std::vector<double> sizes_;
  std::string largest_;
};

}  // namespace

std::string case_table(std::vector<CaseRow> const& rows, TableStyle const& style) {
  std::vector<Column> shown = all_columns();
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> outcome_colors;
  for (CaseRow const& row : rows) {
    if (wanted(row, style)) {
      cells.push_back(cells_of(row));
      outcome_colors.push_back(style.color == Color::on ? color_of(row) : "");
    }
  }
  drop_empty_columns(shown, cells);
  std::vector<std::vector<std::string>> colors;
  for (std::string const& color : outcome_colors) {
    std::vector<std::string> line(shown.size());
    line.back() = color;
    colors.push_back(std::move(line));
  }
  std::string text = cells.empty() ? "" : columns(shown, cells, colors);
  if (style.rows == TableStyle::Rows::all) {
    text += skipped_summary(rows);
  }
  return text + reasons(rows, style);
}

std::string sight_line(std::vector<CaseRow> const& rows) {
  Sizes const sizes(rows, &CaseRow::detectable);
  auto const blind = std::ranges::count_if(rows, &CaseRow::disturbed);
  if (sizes.count() == 0) {
    return blind == 0 ? "" : "no slowdown is seen: neighbours disturb the machine\n";
  }
  std::string const unseen = blind == 0 ? "" : fmt::format("; none in {} that neighbours disturb", blind);
  if (sizes.count() == 1) {
    return fmt::format("a slowdown is seen from {} on in {}{}\n", sizes.at(1), sizes.largest(), unseen);
  }
  return fmt::format("a slowdown is seen from {} on in half of the cases, {} in nine of ten, {} in {}{}\n",
                     sizes.at(0.5), sizes.at(0.9), sizes.at(1), sizes.largest(), unseen);
}

std::string pass_line(std::vector<CaseRow> const& rows) {
  Sizes const sizes(rows, &CaseRow::at_most);
  if (sizes.count() < 2) {
    return sizes.count() == 0
               ? ""
               : fmt::format("the pass says: no slowdown above {} in {} (95 %)\n", sizes.at(1), sizes.largest());
  }
  return fmt::format("the passes say: no slowdown above {} in half of them, {} in nine of ten, {} in {} (95 % each)\n",
                     sizes.at(0.5), sizes.at(0.9), sizes.at(1), sizes.largest());
}

std::string count_line(std::vector<CaseRow> const& rows) {
  std::map<std::pair<int, std::string>, int> counts;
  for (CaseRow const& row : rows) {
    ++counts[{row.rank, row.outcome}];
  }
  std::vector<std::string> parts;
  for (auto const& [outcome, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, outcome.second));
  }
  return fmt::format("{} case{}{}{}", rows.size(), rows.size() == 1 ? "" : "s", parts.empty() ? "" : ": ",
                     fmt::join(parts, ", "));
}

}  // namespace perfcheck::report
