// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// github-action-benchmark's customSmallerIsBetter and customBiggerIsBetter: each file has one direction.
#include "ci/items.h"
#include "ci/json_document.h"
#include "ci/writers.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/report/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::report::ci {
namespace {

using nlohmann::json;

std::string extra_of(CheckResult const& result, Item const& item) {
  std::string text = fmt::format("{} on {}", words_of(item.outcome), device_of(result));
  if (item.change()) text += fmt::format(", {}", format_change(item.change()));
  return text;
}

/// Cases that have the metric, sorted by name: the action plots them in the order of the file.
json entries_of(CheckResult const& result, char const* metric, char const* unit) {
  std::map<std::string, json> entries;
  std::vector<Item> const items = items_of(result);
  for (Item const& item : items) {
    if (item.row == nullptr) continue;
    json entry = {{"name", text_json(item.id)}, {"unit", unit}, {"extra", text_json(extra_of(result, item))}};
    put_digits(entry, "value", value_of(*item.row, metric));
    if (!entry.contains("value")) continue;
    std::string const noise = digits(item.row->noise ? std::optional(100 * *item.row->noise) : std::nullopt, 2);
    if (!noise.empty()) entry["range"] = fmt::format("\xc2\xb1 {} %", noise);
    entries.emplace(item.id, std::move(entry));
  }
  json list = json::array();
  for (auto& [id, entry] : entries) list.push_back(std::move(entry));
  return list;
}

}  // namespace

std::string write_action_benchmark_time(CheckResult const& result) {
  return model::document_text(entries_of(result, "time_ns", "ns"));
}

std::string write_action_benchmark_rate(CheckResult const& result) {
  return model::document_text(entries_of(result, "tflops", "TFLOP/s"));
}

}  // namespace perfcheck::report::ci
