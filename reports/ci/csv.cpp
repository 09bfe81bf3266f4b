// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/escape.h"
#include "ci/items.h"
#include "ci/writers.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace perfcheck::report::ci {
namespace {

constexpr int kDigits = 6;

std::string number(std::optional<double> value) { return digits(value, kDigits); }

/// A column: its title and the text of its cells. Texts go through csv_cell(), numbers stand as they are.
struct Field {
  char const* title;
  std::string (*cell)(CheckResult const&, Item const&);
};

using Witness = std::optional<gate::Witness>;

Witness ratio_of(Item const& item) { return item.decision == nullptr ? std::nullopt : item.decision->ratio; }
Witness cycles_of(Item const& item) { return item.decision == nullptr ? std::nullopt : item.decision->cycles; }
Witness time_of(Item const& item) { return item.decision == nullptr ? std::nullopt : item.decision->time; }

std::string change_of(Witness const& witness) { return witness ? number(witness->change) : ""; }
std::string low_of(Witness const& witness) { return witness ? number(witness->low) : ""; }
std::string high_of(Witness const& witness) { return witness ? number(witness->high) : ""; }

model::DeviceInfo device_info(CheckResult const& result) {
  return result.run.sessions.empty() ? model::DeviceInfo{} : result.run.sessions.front().device;
}

std::string decision_text(Item const& item, std::string gate::CaseDecision::* member) {
  return item.decision == nullptr ? "" : csv_cell(item.decision->*member);
}

using R = CheckResult;
using I = Item;

constexpr std::array kCase = {
    Field{"case", [](R const&, I const& i) { return csv_cell(i.id); }},
    Field{"kernel", [](R const&, I const& i) { return csv_cell(i.kernel); }},
    Field{"problem", [](R const&, I const& i) { return csv_cell(i.problem); }},
    Field{"outcome", [](R const&, I const& i) { return csv_cell(i.outcome); }},
    Field{"failed", [](R const&, I const& i) { return std::string(i.failed ? "1" : "0"); }},
    Field{"reason_code", [](R const&, I const& i) { return decision_text(i, &gate::CaseDecision::reason_code); }},
    Field{"decided_by", [](R const&, I const& i) { return decision_text(i, &gate::CaseDecision::decided_by); }},
};

/// The columns of the decision, which follow the metrics.
constexpr std::array kDecided = {
    Field{"change", [](R const&, I const& i) { return change_of(i.change()); }},
    Field{"change_low", [](R const&, I const& i) { return low_of(i.change()); }},
    Field{"change_high", [](R const&, I const& i) { return high_of(i.change()); }},
    Field{"margin", [](R const&, I const& i) { return i.decision == nullptr ? "" : number(i.decision->margin); }},
    Field{"detectable", [](R const&, I const& i) { return number(i.row->detectable); }},
    Field{"at_most", [](R const&, I const& i) { return number(i.row->at_most); }},
    Field{"ratio_change", [](R const&, I const& i) { return change_of(ratio_of(i)); }},
    Field{"ratio_low", [](R const&, I const& i) { return low_of(ratio_of(i)); }},
    Field{"ratio_high", [](R const&, I const& i) { return high_of(ratio_of(i)); }},
    Field{"cycles_change", [](R const&, I const& i) { return change_of(cycles_of(i)); }},
    Field{"cycles_low", [](R const&, I const& i) { return low_of(cycles_of(i)); }},
    Field{"cycles_high", [](R const&, I const& i) { return high_of(cycles_of(i)); }},
    Field{"time_change", [](R const&, I const& i) { return change_of(time_of(i)); }},
    Field{"time_low", [](R const&, I const& i) { return low_of(time_of(i)); }},
    Field{"time_high", [](R const&, I const& i) { return high_of(time_of(i)); }},
    Field{"reason", [](R const&, I const& i) { return csv_cell(i.reason); }},
    Field{"also_changed", [](R const&, I const& i) { return csv_cell(i.row->also_changed); }},
    Field{"file", [](R const&, I const& i) { return i.entry == nullptr ? "" : csv_cell(i.entry->file); }},
    Field{"line",
          [](R const&, I const& i) {
            return i.entry == nullptr || i.entry->line <= 0 ? "" : std::to_string(i.entry->line);
          }},
    Field{"result", [](R const& r, I const&) { return csv_cell(r.name); }},
    Field{"device", [](R const& r, I const&) { return csv_cell(device_info(r).name); }},
    Field{"uuid", [](R const& r, I const&) { return csv_cell(device_info(r).uuid); }},
    Field{"commit", [](R const& r, I const&) { return csv_cell(r.run.source.commit); }},
    Field{"run", [](R const& r, I const&) { return csv_cell(r.run.id); }},
    Field{"started", [](R const& r, I const&) { return csv_cell(r.run.started); }},
};

struct Column {
  std::string title;
  std::function<std::string(CheckResult const&, Item const&)> cell;
};

/// All columns: the case, its metrics (with the previous time behind the time), then the decision.
std::vector<Column> all_columns() {
  std::vector<Column> columns;
  for (Field const& field : kCase) columns.push_back({field.title, field.cell});
  for (MetricRow const& metric : metrics()) {
    if (!metric.readers.results) continue;
    columns.push_back({metric.key, [of = metric.of](R const&, I const& i) { return number(of(*i.row)); }});
    if (std::string_view(metric.key) == "time_ns") {
      columns.push_back({"time_before_ns", [](R const&, I const& i) { return number(time_before(i)); }});
    }
  }
  for (Field const& field : kDecided) columns.push_back({field.title, field.cell});
  return columns;
}

}  // namespace

std::string write_csv(CheckResult const& result) {
  std::vector<Column> const columns = all_columns();
  std::string text;
  for (Column const& column : columns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.title);
  text += "\r\n";
  for (Item const& item : items_of(result)) {
    if (item.row == nullptr) continue;
    std::string line;
    for (Column const& column : columns) line += (&column == &columns.front() ? "" : ",") + column.cell(result, item);
    text += line + "\r\n";
  }
  return text;
}

}  // namespace perfcheck::report::ci
