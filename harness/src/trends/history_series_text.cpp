// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/history_series_text.h"

#include "perfcheck/config/asked.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/columns.h"
#include "perfcheck/report/format.h"
#include "perfcheck/trends/history_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace perfcheck::trends {
namespace {

using nlohmann::json;

/// Half the width of a 95 % interval, which is stored as a logarithm.
std::string half_width(std::optional<double> logarithmic) {
  return logarithmic ? fmt::format("{:.2f} %", 100 * std::expm1(*logarithmic)) : "-";
}

std::string change(std::optional<history::StoredDecision> const& decision) {
  return decision && decision->change ? fmt::format("{:+.2f} %", 100 * *decision->change) : "-";
}

std::vector<std::string> row(ShownPoint const& point) {
  history::Result const& result = point.result;
  bool const measured = result.status == model::CaseStatus::measured;
  return {short_commit(*point.run),
          model::one_line(point.run->when()),
          report::format_time(result.time_ns),
          half_width(result.time_hw),
          report::format_number(result.ratio),
          half_width(result.ratio_hw),
          report::format_number(result.cycles),
          change(result.decision),
          std::string(measured && result.decision ? model::to_text(result.decision->verdict)
                                                  : model::to_text(result.status))};
}

json point_json(ShownPoint const& point) {
  history::Result const& result = point.result;
  json object = {{"run", point.run->id},
                 {"commit", point.run->commit},
                 {"when", point.run->when()},
                 {"status", model::to_text(result.status)},
                 {"sessions", result.sessions}};
  model::put_number(object, "time_ns", result.time_ns);
  model::put_number(object, "time_hw", result.time_hw);
  model::put_number(object, "ratio", result.ratio);
  model::put_number(object, "ratio_hw", result.ratio_hw);
  model::put_number(object, "cycles", result.cycles);
  model::put_number(object, "cycles_hw", result.cycles_hw);
  model::put_number(object, "clock_mhz", result.clock_mhz);
  if (result.decision) {
    object["verdict"] = model::to_text(result.decision->verdict);
    model::put_number(object, "change", result.decision->change);
    model::put_number(object, "low", result.decision->low);
    model::put_number(object, "high", result.decision->high);
    model::put_number(object, "margin", result.decision->margin);
  }
  return object;
}

}  // namespace

std::vector<ShownSeries> matching_series(history::History& history, std::vector<history::RunEntry> const& runs,
                                         std::vector<std::string> const& filters, session::Interrupt const& interrupt) {
  std::map<int64_t, std::size_t> place;  // in the order of the commits
  for (std::size_t i = 0; i < runs.size(); ++i) {
    place[runs[i].number] = i;
  }
  std::vector<ShownSeries> shown;
  for (history::SeriesEntry const& series : history.series()) {
    if (!config::selected(filters, series.case_id)) {
      continue;
    }
    interrupt.throw_if_raised();
    ShownSeries one{.series = series, .points = {}};
    history.read(series, [&](history::Result const& result) {
      if (auto const found = place.find(result.run); found != place.end()) {  // else the run was added a moment ago
        one.points.push_back({.run = &runs[found->second], .result = result});
      }
    });
    std::ranges::sort(one.points, {}, [](ShownPoint const& point) { return point.run; });
    shown.push_back(std::move(one));
  }
  return shown;
}

std::string series_text(std::vector<ShownSeries> const& shown, bool every_run) {
  std::string text;
  for (ShownSeries const& one : shown) {
    std::size_t const hidden = every_run || one.points.size() <= kShownRuns ? 0 : one.points.size() - kShownRuns;
    text += fmt::format("{}{} on {}: {}\n", text.empty() ? "" : "\n", model::one_line(one.series.case_id),
                        model::one_line(one.series.device_slug), counted(one.points.size(), "run"));
    if (hidden > 0) {
      text += fmt::format("  {} before these (--verbose shows them)\n", counted(hidden, "run"));
    }
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = hidden; i < one.points.size(); ++i) {
      rows.push_back(row(one.points[i]));
    }
    using Align = report::Column::Align;
    text += report::columns({{"commit"},
                             {"committed"},
                             {"time", Align::right},
                             {"+-", Align::right},
                             {"ratio", Align::right},
                             {"+-", Align::right},
                             {"cycles", Align::right},
                             {"change", Align::right},
                             {"outcome"}},
                            rows);
  }
  return text;
}

std::string series_json_text(std::vector<ShownSeries> const& shown) {
  json object = {{"schema", "perfcheck.series/1"}, {"cases", json::array()}};
  for (ShownSeries const& one : shown) {
    json entry = {{"id", one.series.case_id},
                  {"device", one.series.device_slug},
                  {"operation", one.series.operation},
                  {"results", json::array()}};
    for (ShownPoint const& point : one.points) {
      entry["results"].push_back(point_json(point));
    }
    object["cases"].push_back(std::move(entry));
  }
  return model::document_text(object);
}

}  // namespace perfcheck::trends
