// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/markdown_parts.h"

#include "ci/escape.h"
#include "ci/trend.h"
#include "perfcheck/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::report::ci {
namespace {

constexpr std::size_t kCommitDigits = 12;
constexpr std::size_t kNameLimit = 120;
constexpr std::size_t kMostLibraries = 10;

struct Cells {
  std::string title;
  bool right = false;
  std::vector<std::string> cells;
};

/// Text without breaks at blanks, so that a narrow table does not split figures.
std::string unbroken(std::string const& text) {
  std::string result;
  for (char const c : text) result += c == ' ' ? std::string("\xc2\xa0") : std::string(1, c);
  return result;
}

std::string percent(std::optional<double> share) {
  return share ? unbroken(fmt::format("{:.2f} %", 100 * *share)) : "";
}

std::string time_cell(Item const& item) {
  if (item.row == nullptr || !item.row->time_ns) return "";
  std::string const now = unbroken(format_time(item.row->time_ns));
  std::optional<double> const before = time_before(item);
  return before ? fmt::format("{} \xe2\x86\x92\xc2\xa0{}", unbroken(format_time(before)), now) : now;
}

/// The change and its limits, with a break between them only where the column is too narrow for both.
std::string change_cell(Item const& item) {
  if (!item.change()) return "";
  std::string const text = format_change(item.change());
  std::size_t const limits = text.find('(');
  return unbroken(text.substr(0, limits - 1)) + " " + unbroken(text.substr(limits));
}

std::string case_cell(Item const& item) {
  return markdown_code(item.id) + (item.is_kernel ? " all cases together" : "");
}

/// On two lines, which leaves room for the other columns.
std::string narrow_case_cell(Item const& item) {
  if (item.is_kernel) return fmt::format("{}<br>all cases together", markdown_code(item.kernel));
  if (item.kernel.empty() || item.problem.empty()) return case_cell(item);
  return fmt::format("{}<br>{}", markdown_code(item.kernel), markdown_code(item.problem));
}

std::string verdict_cell(Item const& item) {
  std::string const words = markdown_text(words_of(item.outcome));
  return item.failed ? fmt::format("**{}**", words) : words;
}

std::string limit_cell(Item const& item) {
  return item.change() && item.decision != nullptr ? percent(item.decision->margin) : "";
}

std::string trend_cell(CheckResult const& result, Item const& item) {
  auto const trend = result.trends.find(item.id);
  return trend == result.trends.end() ? "" : trend_word(trend->second);
}

std::string noise_cell(Item const& item) { return item.row == nullptr ? "" : percent(item.row->noise); }

std::string detectable_cell(Item const& item) { return item.row == nullptr ? "" : percent(item.row->detectable); }

std::string rate_cell(Item const& item) {
  std::optional<double> const rate = item.row == nullptr ? std::nullopt : value_of(*item.row, "tflops");
  return rate ? format_number(rate) : "";
}

template <typename Cell>
Cells column(char const* title, bool right, std::vector<Item const*> const& items, Cell const& cell) {
  Cells result{.title = title, .right = right, .cells = {}};
  for (Item const* item : items) result.cells.push_back(cell(*item));
  return result;
}

/// The table's lines, without columns that are empty.
Lines table_of(std::vector<Cells> columns, std::size_t rows) {
  std::erase_if(columns, [](Cells const& one) {
    return std::all_of(one.cells.begin(), one.cells.end(), [](std::string const& cell) { return cell.empty(); });
  });
  Lines lines(rows + 2, "|");
  for (Cells const& one : columns) {
    lines[0] += fmt::format(" {} |", one.title);
    lines[1] += one.right ? " ---: |" : " :--- |";
    for (std::size_t i = 0; i < rows; ++i) lines[i + 2] += fmt::format(" {} |", one.cells[i]);
  }
  for (std::string& line : lines) line += '\n';
  return lines;
}

/// Items with the same outcome for the same reason.
struct Group {
  std::string outcome, reason, also_changed;
  std::vector<Item const*> items;
};

std::vector<Group> groups_of(std::vector<Item const*> const& items) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index;
  for (Item const* item : items) {
    std::string const also = item->row == nullptr ? "" : item->row->also_changed;
    if (item->reason.empty() && also.empty()) continue;
    auto const [place, is_new] = index.emplace(std::tuple(item->outcome, item->reason, also), groups.size());
    if (is_new) groups.push_back({.outcome = item->outcome, .reason = item->reason, .also_changed = also, .items = {}});
    groups[place->second].items.push_back(item);
  }
  return groups;
}

std::string reason_line(Group const& group) {
  std::string line = fmt::format("- {}", case_cell(*group.items.front()));
  if (group.items.size() > 1) line += fmt::format(" and {} more", group.items.size() - 1);
  line += fmt::format(" **{}**", markdown_text(words_of(group.outcome)));
  if (!group.reason.empty()) line += ": " + markdown_text(group.reason);
  if (!group.also_changed.empty()) line += fmt::format("<br>{}", markdown_text(group.also_changed, 500));
  return line + "\n";
}

}  // namespace

Lines attention_table(CheckResult const& result, std::vector<Item const*> const& items, bool brief) {
  std::vector<Cells> columns = {
      column("case", false, items, narrow_case_cell), column("verdict", false, items, verdict_cell),
      column("change (limits)", true, items, change_cell), column("time per launch", true, items, time_cell),
      column("allowed", true, items, limit_cell)};
  if (!brief) {
    columns.push_back(column("noise", true, items, noise_cell));
    columns.push_back(column("detectable", true, items, detectable_cell));
  }
  columns.push_back(column("trend", false, items, [&](Item const& item) { return trend_cell(result, item); }));
  return table_of(std::move(columns), items.size());
}

Lines rest_table(CheckResult const& result, std::vector<Item const*> const& items, bool brief) {
  std::vector<Cells> columns = {column("case", false, items, case_cell),
                                column("time per launch", true, items, time_cell),
                                column("change (limits)", true, items, change_cell)};
  if (!brief) {
    columns.push_back(column("TFLOP/s", true, items, rate_cell));
    columns.push_back(column("noise", true, items, noise_cell));
    columns.push_back(column("detectable", true, items, detectable_cell));
    columns.push_back(column("trend", false, items, [&](Item const& item) { return trend_cell(result, item); }));
  }
  return table_of(std::move(columns), items.size());
}

Lines reason_lines(std::vector<Item const*> const& items) {
  Lines lines;
  for (Group const& group : groups_of(items)) lines.push_back(reason_line(group));
  return lines;
}

std::string skipped_line(std::vector<Item> const& items) {
  std::map<std::string, std::size_t> reasons;
  std::size_t count = 0;
  for (Item const& item : items) {
    if (item.standing != Standing::skipped || item.row == nullptr) continue;
    ++count;
    ++reasons[item.row->skip_reason ? std::string(model::to_text(*item.row->skip_reason)) : "no reason given"];
  }
  std::vector<std::string> parts;
  for (auto const& [reason, number] : reasons) parts.push_back(fmt::format("{} {}", number, words_of(reason)));
  return count == 0 ? "" : fmt::format("{} skipped: {}.\n", count, fmt::join(parts, ", "));
}

std::string measured_line(CheckResult const& result) {
  std::vector<std::string> parts;
  auto const add = [&](std::string const& what, std::string const& version) {
    if (!version.empty()) parts.push_back(fmt::format("{} {}", markdown_text(what, 40), markdown_text(version, 40)));
  };
  std::size_t const sessions = result.run.sessions.size();
  std::set<std::string> cards;
  for (model::Session const& session : result.run.sessions) cards.insert(session.device.uuid);
  if (sessions > 0) {
    model::Environment const& environment = result.run.sessions.front().environment;
    add("driver", environment.driver);
    add("CUDA", environment.cuda_runtime);
    std::size_t shown = 0;
    for (auto const& [name, version] : environment.libraries) {
      if (++shown <= kMostLibraries) add(name, version);
    }
  }
  if (cards.size() > 1) parts.push_back(fmt::format("{} cards", cards.size()));
  parts.push_back(
      fmt::format("{} session{} in {}", sessions, sessions == 1 ? "" : "s", format_duration(result.run.seconds)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string commit_line(CheckResult const& result) {
  model::SourceInfo const& source = result.run.source;
  if (source.commit.empty()) return "";
  std::string line = "commit " + markdown_code(source.commit.substr(0, kCommitDigits));
  if (source.dirty) line += " with changes";
  if (!source.branch.empty()) line += " on " + markdown_code(source.branch, kNameLimit);
  if (!source.subject.empty()) line += ": " + markdown_text(source.subject, kNameLimit);
  return line;
}

}  // namespace perfcheck::report::ci
