// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history as text: JSON Lines, from which it can be restored, and CSV for other programs (docs/history.md).
#pragma once

#include "perfcheck/history/history.h"

namespace perfcheck::history {

inline constexpr char const* kExportSchema = "perfcheck.history/1";

/// One line with its newline: the run as in its file, and the decision about it.
std::string export_line(model::Run const& run, std::optional<RunDecision> const& decision);
/// Throws model::FormatError if the stored document is not JSON.
std::string export_line(StoredCalibration const& calibration);

/// Either a run or a calibration.
struct ImportedLine {
  std::optional<model::Run> run;
  std::optional<RunDecision> decision;  ///< about `run`
  std::optional<StoredCalibration> calibration;
};
/// Whether this is the beginning of an export, rather than a file of another kind.
bool looks_like_export(std::string_view text);
/// Reads one line. `origin` names file and line in model::FormatError.
ImportedLine import_line(std::string_view line, std::string_view origin);

/// One line with its newline, RFC 4180; an empty field means that the value is unknown.
std::string csv_header();
std::string csv_line(RunEntry const& run, SeriesEntry const& series, Result const& result);

}  // namespace perfcheck::history
