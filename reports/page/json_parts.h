// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a device's document as JSON.
#pragma once

#include "perfcheck/report/page_data.h"

#include <nlohmann/json.hpp>

namespace perfcheck::report {

/// JSON on one line. Bytes that are not UTF-8 become U+FFFD, and '<' is escaped, so that the text can stand inside a
/// page.
std::string json_text(nlohmann::json const& value);
/// Sets a number with seven significant digits; sets no key for one that is absent or not finite.
void put_rounded(nlohmann::json& object, char const* key, std::optional<double> value);

nlohmann::json commit_json(ReportCommit const& commit);
nlohmann::json environment_json(ReportEnvironment const& environment);
nlohmann::json run_json(ReportRun const& run);
nlohmann::json problem_json(ReportProblem const& problem);
nlohmann::json kernel_json(ReportKernel const& kernel);
/// Without `chunk`.
nlohmann::json case_json(ReportCase const& one, SeriesFacts const& facts);
/// Throws std::invalid_argument when the calibration is not JSON.
nlohmann::json calibration_json(ReportCalibration const& calibration);
nlohmann::json detail_session_json(DetailSession const& session);

}  // namespace perfcheck::report
