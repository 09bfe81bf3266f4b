// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What --json prints. docs/cli.md describes the fields.
#pragma once

#include "perfcheck/report/case_rows.h"

#include <nlohmann/json.hpp>

namespace perfcheck::results {

inline constexpr char const* kCheckSchema = "perfcheck.check/1";

/// Decisions and figures of a check or compare.
nlohmann::json check_json(model::Run const& run, gate::Decisions const& decisions,
                          std::vector<report::CaseRow> const& rows);
/// Figures of a run that was not compared with anything.
nlohmann::json run_json(model::Run const& run, std::vector<std::string> const& notes,
                        std::vector<report::CaseRow> const& rows, model::ExitCode exit_code);

}  // namespace perfcheck::results
