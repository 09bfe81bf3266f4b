// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The change points of a trend: lines in the plot, labels above it.
#pragma once

#include "perfcheck/report/series.h"
#include "svg/axis.h"
#include "svg/canvas.h"

#include <string>
#include <vector>

namespace perfcheck::report {

/// A label above the plot.
struct TrendMark {
  ReportChange change;
  std::string text;
  double x = 0;     ///< of the change
  double left = 0;  ///< of the text
  int lane = -1;    ///< counted from the plot upwards; -1 where there was no place
};

/// "+3.1 %", "-12.0 %", "+250 %".
std::string percent_text(double share);

/// `commits`: the short name of each change's commit. Labels take the lowest lane in which they touch no other; the
/// largest changes choose first.
std::vector<TrendMark> place_marks(std::vector<ReportChange> const& changes, std::vector<std::string> const& commits,
                                   Axis const& runs);

int lanes_of(std::vector<TrendMark> const& marks);

/// Plot from `top` to `bottom`.
void draw_marks(Canvas& canvas, std::vector<TrendMark> const& marks, Axis const& runs, double top, double bottom);

}  // namespace perfcheck::report
