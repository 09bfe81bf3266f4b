// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/metrics.h"

#include "perfcheck/report/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace perfcheck::report {
namespace {

using Value = std::optional<double>;

/// a / b, where both are known and b is positive.
Value quotient(Value a, Value b) { return a && b && *b > 0 ? Value(*a / *b) : std::nullopt; }
Value known(double work) { return work > 0 ? Value(work) : std::nullopt; }
Value scaled(Value value, double factor) { return value ? Value(*value * factor) : std::nullopt; }

Value tflops(Figures const& of) { return scaled(quotient(known(of.flop), of.time_ns), 1e-3); }

constexpr std::array kMetrics = {
    MetricRow{.key = "time_ns",
              .name = "time",
              .unit = "",
              .digits = 4,
              .better = Better::lower,
              .print = Print::time,
              .of = [](Figures const& of) { return of.time_ns; },
              .column = {.title = "time"},
              .gauge = {.name = "perfcheck_case_time_seconds",
                        .unit = "seconds",
                        .help = "Median time of a launch.",
                        .factor = 1e-9}},
    MetricRow{.key = "tflops",
              .name = "TFLOP/s",
              .unit = "",
              .digits = 3,
              .better = Better::higher,
              .print = Print::number,
              .of = tflops,
              .column = {.title = "TFLOP/s"},
              .gauge = {.name = "perfcheck_case_rate_flops",
                        .unit = "flops",
                        .help = "Floating point operations in a second.",
                        .factor = 1e12}},
    MetricRow{.key = "gb_s",
              .name = "memory",
              .unit = "GB/s",
              .digits = 3,
              .better = Better::higher,
              .print = Print::number,
              .of = [](Figures const& of) { return quotient(known(of.bytes), of.time_ns); }},
    MetricRow{.key = "reference_share",
              .name = "of the reference",
              .unit = "",
              .digits = 3,
              .better = Better::higher,
              .print = Print::share,
              .of = [](Figures const& of) { return quotient(1, of.ratio); },
              .column = {.title = "% of ref"},
              .gauge = {.name = "perfcheck_case_reference_speed_ratio",
                        .unit = "ratio",
                        .help = "Speed over the reference's.",
                        .place = Place::after_change}},
    MetricRow{.key = "naive_speedup",
              .name = "times the naive kernel",
              .unit = "\xc3\x97",
              .digits = 3,
              .better = Better::higher,
              .print = Print::factor,
              .of = [](Figures const& of) { return quotient(of.naive_time_ns, of.time_ns); },
              .column = {.title = "vs naive"},
              .readers = {.page = false, .ladder = false}},
    MetricRow{.key = "peak_share",
              .name = "of peak",
              .unit = "",
              .digits = 3,
              .better = Better::higher,
              .print = Print::share,
              .of = [](Figures const& of) { return quotient(tflops(of), of.peak_tflops); },
              .column = {.title = "% of peak"}},
    MetricRow{.key = "ratio",
              .name = "ratio",
              .unit = "\xc3\x97",
              .digits = 4,
              .better = Better::lower,
              .print = Print::number,
              .of = [](Figures const& of) { return of.ratio; },
              .readers = {.results = false, .ladder = false}},
    MetricRow{.key = "cycles",
              .name = "cycles",
              .unit = "",
              .digits = 6,
              .better = Better::lower,
              .print = Print::number,
              .of = [](Figures const& of) { return of.cycles; },
              .readers = {.ladder = false}},
    MetricRow{.key = "clock_mhz",
              .name = "clock",
              .unit = "MHz",
              .digits = 4,
              .better = Better::neither,
              .print = Print::number,
              .of = [](Figures const& of) { return of.clock_mhz; },
              .gauge = {.name = "perfcheck_case_clock_hertz",
                        .unit = "hertz",
                        .help = "Clock of the device during the rounds.",
                        .factor = 1e6,
                        .place = Place::after_change},
              .readers = {.ladder = false}},
    MetricRow{.key = "noise",
              .name = "noise of rounds",
              .unit = "",
              .digits = 2,
              .better = Better::lower,
              .print = Print::percent,
              .of = [](Figures const& of) { return of.noise; },
              .column = {.title = "noise", .place = Place::after_change},
              .readers = {.ladder = false}},
};

char const* to_text(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "neither";
}

char const* to_text(Print print) {
  switch (print) {
    case Print::time: return "time";
    case Print::number: return "number";
    case Print::share: return "share";
    case Print::percent: return "percent";
    case Print::factor: return "factor";
  }
  throw std::logic_error("unknown way of printing");
}

}  // namespace

std::span<MetricRow const> metrics() { return kMetrics; }

void add_work(Figures& figures, model::CaseResult const& result, model::DeviceInfo const& device) {
  figures.flop = result.work.flop;
  figures.bytes = result.work.bytes;
  figures.peak_gb_s = device.peak_gb_s;
  if (auto const peak = device.peak_tflops.find(result.arithmetic); peak != device.peak_tflops.end()) {
    figures.peak_tflops = peak->second;
  }
}

std::optional<double> value_of(Figures const& figures, std::string_view key) {
  auto const metric = std::ranges::find_if(kMetrics, [&](MetricRow const& row) { return row.key == key; });
  if (metric == kMetrics.end()) {
    throw std::logic_error(fmt::format("there is no metric {}", key));
  }
  return metric->of(figures);
}

std::string text_of(MetricRow const& metric, Figures const& figures) {
  std::optional<double> const value = metric.of(figures);
  switch (metric.print) {
    case Print::time: return format_time(value);
    case Print::number: return format_number(value);
    case Print::share: return format_share(value);
    case Print::percent: return value ? fmt::format("{:.2f} %", 100 * *value) : "-";
    case Print::factor: return format_factor(value);
  }
  throw std::logic_error("unknown way of printing");
}

nlohmann::json metrics_json() {
  nlohmann::json list = nlohmann::json::array();
  for (MetricRow const& metric : kMetrics) {
    if (metric.readers.page) {
      list.push_back({{"key", metric.key},
                      {"name", metric.name},
                      {"unit", metric.unit},
                      {"digits", metric.digits},
                      {"better", to_text(metric.better)},
                      {"print", to_text(metric.print)},
                      {"ladder", metric.readers.ladder}});
    }
  }
  return list;
}

}  // namespace perfcheck::report
