// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/case_series.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace perfcheck::trends {
namespace {

using report::Metric;
using report::Series;

double or_nan(std::optional<double> value) { return value.value_or(std::numeric_limits<double>::quiet_NaN()); }

void append(Series& series, int run, history::Result const& result, int attributes) {
  series.run.push_back(run);
  series.status.push_back(result.status);
  series.verdict.push_back(result.decision ? std::optional(result.decision->verdict) : std::nullopt);
  series.attributes.push_back(attributes);
  series.sessions.push_back(result.sessions);
  for (auto const& [column, value] : {std::pair{&series.time_ns, result.time_ns},
                                      {&series.ratio, result.ratio},
                                      {&series.cycles, result.cycles},
                                      {&series.clock_mhz, result.clock_mhz},
                                      {&series.power_w, result.power_w},
                                      {&series.temperature_c, result.temperature_c},
                                      {&series.time_hw, result.time_hw},
                                      {&series.ratio_hw, result.ratio_hw},
                                      {&series.cycles_hw, result.cycles_hw}}) {
    column->push_back(or_nan(value));
  }
}

/// The attributes of a result about whose launches nothing is known.
constexpr char const* kNoAttributes = R"({"launches":[],"machine_code":""})";

}  // namespace

/// The same choice as add_latest() makes once everything about the case is known.
Metric metric_of(CaseSeries const& series) {
  std::optional<history::Result> const& newest = series.newest;
  if (newest && newest->decision) {
    if (auto const decided = report::metric_from_text(newest->decision->decided_by)) {
      return *decided;
    }
  }
  return newest && newest->ratio ? Metric::ratio : newest && newest->cycles ? Metric::cycles : Metric::time;
}

RunAxis::RunAxis(std::vector<history::RunEntry> const& runs) {
  for (history::RunEntry const& run : runs) {
    indices_.emplace(run.number, static_cast<int>(cards_.size()));
    cards_.push_back(numbers_.emplace(run.card, static_cast<int>(numbers_.size())).first->second);
  }
}

std::optional<int> RunAxis::index(int64_t number) const {
  auto const found = indices_.find(number);
  return found == indices_.end() ? std::nullopt : std::optional(found->second);
}

CaseSeries read_case_series(history::History& history, history::SeriesEntry const& entry, RunAxis const& axis,
                            history::AttributeTexts const& attributes) {
  std::vector<std::pair<int, history::Result>> results;
  history.read(entry, [&](history::Result const& result) {
    if (auto const index = axis.index(result.run)) {
      results.emplace_back(*index, result);
    }
  });
  // Results come in the order in which they were added, which need not be that of the commits.
  std::sort(results.begin(), results.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  CaseSeries one;
  std::map<int64_t, int> table;
  std::map<std::string, int> numbers = axis.numbers();  // and cards that measured only parts of fan-outs
  for (auto const& [run, result] : results) {
    auto const [known, is_new] =
        table.try_emplace(result.attributes, static_cast<int>(one.series.attribute_table.size()));
    if (is_new) {
      auto const text = attributes.find(result.attributes);
      one.series.attribute_table.push_back(text == attributes.end() ? kNoAttributes : text->second);
    }
    append(one.series, run, result, known->second);
    int const card = result.card.empty() ? axis.card(run)
                                         : numbers.emplace(result.card, static_cast<int>(numbers.size())).first->second;
    one.series.card.push_back(card);
  }
  if (!results.empty()) {
    one.newest = std::move(results.back().second);
  }
  return one;
}

}  // namespace perfcheck::trends
