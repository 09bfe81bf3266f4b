// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/series.h"

#include "page/columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <stdexcept>

namespace perfcheck::report {
namespace {

constexpr std::array<std::pair<Metric, std::string_view>, 3> kMetrics{
    {{Metric::ratio, "ratio"}, {Metric::cycles, "cycles"}, {Metric::time, "time"}}};

[[noreturn]] void refuse(std::string const& why) { throw std::invalid_argument("a series cannot be written: " + why); }

nlohmann::json attribute_table(Series const& series) {
  nlohmann::json table = nlohmann::json::array();
  for (std::string const& text : series.attribute_table) table.push_back(attributes_json(text));
  return table;
}

}  // namespace

std::string_view to_text(Metric metric) {
  for (auto const& [value, text] : kMetrics) {
    if (value == metric) return text;
  }
  throw std::logic_error("unknown metric");
}

std::optional<Metric> metric_from_text(std::string_view text) {
  for (auto const& [value, name] : kMetrics) {
    if (name == text) return value;
  }
  return std::nullopt;
}

std::vector<double> const& Series::values(Metric metric) const {
  switch (metric) {
    case Metric::ratio: return ratio;
    case Metric::cycles: return cycles;
    case Metric::time: return time_ns;
  }
  throw std::logic_error("unknown metric");
}

std::vector<double> const& Series::half_widths(Metric metric) const {
  switch (metric) {
    case Metric::ratio: return ratio_hw;
    case Metric::cycles: return cycles_hw;
    case Metric::time: return time_hw;
  }
  throw std::logic_error("unknown metric");
}

void check(Series const& series) {
  auto const column = [&](char const* name, std::size_t size) {
    if (size != series.size()) {
      refuse(fmt::format("it has {} runs, but {} values in column {}", series.size(), size, name));
    }
  };
  if (!series.card.empty()) column("card", series.card.size());
  column("status", series.status.size());
  column("verdict", series.verdict.size());
  column("attributes", series.attributes.size());
  column("time_ns", series.time_ns.size());
  column("ratio", series.ratio.size());
  column("cycles", series.cycles.size());
  column("clock_mhz", series.clock_mhz.size());
  column("power_w", series.power_w.size());
  column("temperature_c", series.temperature_c.size());
  column("time_hw", series.time_hw.size());
  column("ratio_hw", series.ratio_hw.size());
  column("cycles_hw", series.cycles_hw.size());
  column("sessions", series.sessions.size());
  int last = -1;
  for (int const run : series.run) {
    if (run <= last) refuse(fmt::format("run {} comes after run {}", run, last));
    last = run;
  }
  for (int const card : series.card) {
    if (card < 0) refuse(fmt::format("card {} is counted from 0", card));
  }
  for (int const index : series.attributes) {
    if (index < 0 || static_cast<std::size_t>(index) >= series.attribute_table.size()) {
      refuse(fmt::format("attributes {} is not one of its {}", index, series.attribute_table.size()));
    }
  }
}

std::string series_chunk(Series const& series) {
  check(series);
  ColumnEncoder run("run", ColumnEncoder::Kind::index, 1), attributes("attributes", ColumnEncoder::Kind::index, 1);
  ValueColumns values;
  for (std::size_t i = 0; i < series.size(); ++i) {
    run.add(series.run[i]);
    attributes.add(series.attributes[i]);
    values.add(series, i);
  }
  return values.bytes({&run, &attributes}, {{"attributes", attribute_table(series)}});
}

}  // namespace perfcheck::report
