// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// All metrics of a case in one table, which the writers of results, the report's data and its page iterate over. A new
// metric that can be computed from a case's figures needs one more row and nothing else.
#pragma once

#include "perfcheck/model/run.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfcheck::report {

/// What metrics are computed from: medians of a case over the sessions of a run, and the limits that they are compared
/// with. Absent (work: 0) where unknown.
struct Figures {
  std::optional<double> time_ns, cycles, clock_mhz;
  std::optional<double> ratio;          ///< time over the reference's; absent for a case that is its own control
  std::optional<double> noise;          ///< robust spread of the rounds within a session, relative
  double flop = 0, bytes = 0;           ///< of one launch
  std::optional<double> peak_tflops;    ///< of the device, for the case's arithmetic
  std::optional<double> peak_gb_s;      ///< of the device's memory
  std::optional<double> naive_time_ns;  ///< of the kernel named naive on the same problem, when it was measured
};

enum class Better { lower, higher, neither };

/// How a value is printed, for people.
enum class Print {
  time,     ///< with the unit that fits
  number,   ///< with the unit of its row
  share,    ///< "98.5 %"
  percent,  ///< "0.12 %", of small shares
  factor,   ///< "12.3x"
};

/// Where a column stands: before or after the change against the baseline.
enum class Place { before_change, after_change };

/// A column of the table that commands print.
struct TableColumn {
  char const* title = nullptr;  ///< null: it has none
  Place place = Place::before_change;
};

/// A family of gauges in OpenMetrics, in base units.
struct Gauge {
  char const* name = nullptr;  ///< "perfcheck_case_time_seconds"; null: it has none
  char const* unit = "";       ///< with which the name ends
  char const* help = "";
  double factor = 1;  ///< from the row's unit
  Place place = Place::before_change;
};

/// Where the metric appears. By default it appears everywhere.
struct Readers {
  bool results = true;  ///< JSON and CSV of a command's result
  bool page = true;     ///< the report: a case's figures
  bool ladder = true;   ///< the report: tables that compare kernels
};

struct MetricRow {
  char const* key;   ///< member of JSON, column of CSV: "tflops"
  char const* name;  ///< on the page: "TFLOP/s", "of the reference"
  char const* unit;  ///< on the page, behind a number; may be empty
  int digits;        ///< on the page, significant ones
  Better better;
  Print print;
  std::optional<double> (*of)(Figures const&);
  TableColumn column = {};
  Gauge gauge = {};
  Readers readers = {};
};

/// All of them, in the order in which they are shown.
std::span<MetricRow const> metrics();

/// The work of one launch, and the peaks that it is compared with.
void add_work(Figures& figures, model::CaseResult const& result, model::DeviceInfo const& device);

/// The metric of this key. Throws std::logic_error where there is none.
std::optional<double> value_of(Figures const& figures, std::string_view key);

/// As a cell of a text table; "-" for an absent one.
std::string text_of(MetricRow const& metric, Figures const& figures);

/// The description of the page's metrics: docs/report-data.md, Manifest.
nlohmann::json metrics_json();

}  // namespace perfcheck::report
