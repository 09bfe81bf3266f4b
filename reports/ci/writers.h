// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One function for each format of report/result_formats.h.
#pragma once

#include "perfcheck/report/check_result.h"

#include <string>

namespace perfcheck::report::ci {

std::string write_summary(CheckResult const& result);
std::string write_comment(CheckResult const& result);
std::string write_annotations(CheckResult const& result);
std::string write_junit(CheckResult const& result);
std::string write_sarif(CheckResult const& result);
std::string write_csv(CheckResult const& result);
std::string write_openmetrics(CheckResult const& result);
std::string write_action_benchmark_time(CheckResult const& result);
std::string write_action_benchmark_rate(CheckResult const& result);
std::string write_bencher(CheckResult const& result);

}  // namespace perfcheck::report::ci
