// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history as text: JSON Lines, from which it can be made again, and CSV for other programs (docs/history.md).
#pragma once

#include "perfcheck/history/history.h"

namespace perfcheck::history {

inline constexpr char const* kExportSchema = "perfcheck.history/1";

/// One line with its newline: the run as in its file, and what was decided about it.
std::string export_line(model::Run const& run, std::optional<RunDecision> const& decision);
/// Throws model::FormatError where the history's text is no JSON.
std::string export_line(StoredCalibration const& calibration);

/// One of the two.
struct ImportedLine {
  std::optional<model::Run> run;
  std::optional<RunDecision> decision;  ///< about `run`
  std::optional<StoredCalibration> calibration;
};
/// Is this the beginning of an export, as opposed to a file of another kind?
bool looks_like_export(std::string_view text);
/// Reads one line. `origin` names file and line in model::FormatError.
ImportedLine import_line(std::string_view line, std::string_view origin);

/// One line with its newline, RFC 4180; empty fields are unknown.
std::string csv_header();
std::string csv_line(RunEntry const& run, SeriesEntry const& series, Result const& result);

}  // namespace perfcheck::history
