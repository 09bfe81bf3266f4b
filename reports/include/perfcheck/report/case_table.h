// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The table that a person reads after a run.
#pragma once

#include "perfcheck/report/case_rows.h"

namespace perfcheck::report {

enum class Color { off, on };

struct TableStyle {
  Color color = Color::off;
  /// Which rows: all, all with every skipped case listed, or those that need attention.
  enum class Rows { all, all_and_skipped, attention } rows = Rows::all;
};

/// Aligned columns: case, time, TFLOP/s, share of the reference, speed-up over naive, share of the peak, change with
/// its limits, noise, outcome; then skipped cases by reason with counts, then the reason of each row that needs
/// attention, with what else changed. Columns in which no row has a figure are left out.
std::string case_table(std::vector<CaseRow> const& rows, TableStyle const& style);

/// The smallest slowdown that these verdicts could have seen: in half of the compared cases, in nine of ten, and in the
/// least sensitive case, by name; and in how many cases none could be seen because neighbours disturb the machine. One
/// line, or empty when nothing was compared.
std::string sight_line(std::vector<CaseRow> const& rows);

/// The slowdowns that the passes exclude, with 95 % confidence for each case: in half of the passed cases, in nine of
/// ten, and in the one that excludes least, by name. One line, or empty when no compared case passed.
std::string pass_line(std::vector<CaseRow> const& rows);

/// "165 cases: 2 regressed, 150 pass, 13 skipped".
std::string count_line(std::vector<CaseRow> const& rows);

}  // namespace perfcheck::report
