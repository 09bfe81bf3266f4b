// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures for a README or a chat: self-contained SVG, light or dark as the reader prefers, 830 pixels wide, with
// system fonts and without scripts. The same values give the same text.
#pragma once

#include "perfcheck/report/page_data.h"

#include <string>

namespace perfcheck::report {

/// The kernels of one problem by speed: a bar for each in TFLOP/s with the share of the reference's speed, a line at
/// the reference and one at the device's peak. Kernels that have no speed are listed with their status; skipped ones
/// are left out. Throws std::invalid_argument for an index out of range.
std::string ladder_svg(ReportDevice const& device, int problem);

/// One case over the commits: medians with their 95 % intervals, the baseline's sessions as a band, and change points
/// with size and commit. Throws std::invalid_argument for an index out of range, and as check() does.
std::string trend_svg(ReportDevice const& device, int case_index, Series const& series, SeriesFacts const& facts,
                      Metric metric);

}  // namespace perfcheck::report
