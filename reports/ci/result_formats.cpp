// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/result_formats.h"

#include "ci/writers.h"

#include <array>
#include <stdexcept>

namespace perfcheck::report {
namespace {

struct Format {
  ResultFormat format;
  std::string_view name;
  std::string (*write)(CheckResult const&);
};

constexpr std::array<Format, 10> kFormats = {{
    {ResultFormat::summary, "summary", ci::write_summary},
    {ResultFormat::comment, "comment", ci::write_comment},
    {ResultFormat::annotations, "annotations", ci::write_annotations},
    {ResultFormat::junit, "junit", ci::write_junit},
    {ResultFormat::sarif, "sarif", ci::write_sarif},
    {ResultFormat::csv, "csv", ci::write_csv},
    {ResultFormat::openmetrics, "openmetrics", ci::write_openmetrics},
    {ResultFormat::action_benchmark_time, "action-benchmark-time", ci::write_action_benchmark_time},
    {ResultFormat::action_benchmark_rate, "action-benchmark-rate", ci::write_action_benchmark_rate},
    {ResultFormat::bencher, "bencher", ci::write_bencher},
}};

}  // namespace

std::vector<std::string> result_format_names() {
  std::vector<std::string> names;
  for (Format const& one : kFormats) names.emplace_back(one.name);
  return names;
}

std::optional<ResultFormat> result_format_from(std::string_view name) {
  for (Format const& one : kFormats) {
    if (one.name == name) return one.format;
  }
  return std::nullopt;
}

std::string write_result(ResultFormat format, CheckResult const& result) {
  for (Format const& one : kFormats) {
    if (one.format == format) return one.write(result);
  }
  throw std::logic_error("a result format outside of its enum has no writer");
}

}  // namespace perfcheck::report
