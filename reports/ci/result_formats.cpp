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
  std::string_view name, file;
  std::string (*write)(CheckResult const&);
};

constexpr std::array<Format, 10> kFormats = {{
    {ResultFormat::summary, "summary", "summary.md", ci::write_summary},
    {ResultFormat::comment, "comment", "comment.md", ci::write_comment},
    {ResultFormat::annotations, "annotations", "annotations.txt", ci::write_annotations},
    {ResultFormat::junit, "junit", "junit.xml", ci::write_junit},
    {ResultFormat::sarif, "sarif", "perfcheck.sarif", ci::write_sarif},
    {ResultFormat::csv, "csv", "cases.csv", ci::write_csv},
    {ResultFormat::openmetrics, "openmetrics", "metrics.txt", ci::write_openmetrics},
    {ResultFormat::action_benchmark_time, "action-benchmark-time", "benchmark-time.json",
     ci::write_action_benchmark_time},
    {ResultFormat::action_benchmark_rate, "action-benchmark-rate", "benchmark-rate.json",
     ci::write_action_benchmark_rate},
    {ResultFormat::bencher, "bencher", "bencher.json", ci::write_bencher},
}};

}  // namespace

std::vector<std::string> result_format_names() {
  std::vector<std::string> names;
  for (Format const& one : kFormats) names.emplace_back(one.name);
  return names;
}

std::vector<ResultFormat> result_formats() {
  std::vector<ResultFormat> formats;
  for (Format const& one : kFormats) formats.push_back(one.format);
  return formats;
}

std::string_view result_file(ResultFormat format) {
  for (Format const& one : kFormats) {
    if (one.format == format) return one.file;
  }
  throw std::logic_error("a result format outside of its enum has no file");
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
