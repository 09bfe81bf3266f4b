// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A result in the formats of other programs: docs/ci-formats.md. JSON is not among them; the command line writes it.
#pragma once

#include "perfcheck/report/check_result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::report {

enum class ResultFormat {
  summary,                ///< Markdown for GitHub's step summary
  comment,                ///< Markdown of a comment on a pull request
  annotations,            ///< GitHub's workflow commands
  junit,                  ///< JUnit XML as Jenkins, GitLab and test reporters read it
  sarif,                  ///< SARIF 2.1.0
  csv,                    ///< a line for each case
  openmetrics,            ///< OpenMetrics text
  action_benchmark_time,  ///< github-action-benchmark, smaller is better
  action_benchmark_rate,  ///< github-action-benchmark, bigger is better
  bencher,                ///< Bencher Metric Format
};

/// "summary", ..., "action-benchmark-time", in the order of the enum.
std::vector<std::string> result_format_names();
/// All of them, in the order of the enum.
std::vector<ResultFormat> result_formats();
/// The name of this format's file in a folder that holds all results: "junit.xml".
std::string_view result_file(ResultFormat format);
std::optional<ResultFormat> result_format_from(std::string_view name);

/// The result in this format. Text from a run is escaped, so that it cannot become markup, a command or a formula.
std::string write_result(ResultFormat format, CheckResult const& result);

}  // namespace perfcheck::report
