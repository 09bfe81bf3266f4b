// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A result as other programs read it: docs/ci-formats.md. JSON is none of these; the command line writes it.
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
/// What a file of this format is called in a folder that holds all results: "junit.xml".
std::string_view result_file(ResultFormat format);
std::optional<ResultFormat> result_format_from(std::string_view name);

/// The result's text. Whatever stands in a run is shown as text: it can be no markup, command or formula of the format.
std::string write_result(ResultFormat format, CheckResult const& result);

}  // namespace perfcheck::report
