// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `perfcheck history show --filter` prints: cases over the commits.
#pragma once

#include "perfcheck/history/history.h"
#include "perfcheck/session/interrupt.h"

#include <string>
#include <vector>

namespace perfcheck::trends {

struct ShownPoint {
  history::RunEntry const* run;
  history::Result result;
};

/// A case with its results in the order of the commits.
struct ShownSeries {
  history::SeriesEntry series;
  std::vector<ShownPoint> points;
};

/// The cases that match one of the filters, each over `runs`, which must outlive the result.
std::vector<ShownSeries> matching_series(history::History& history, std::vector<history::RunEntry> const& runs,
                                         std::vector<std::string> const& filters, session::Interrupt const& interrupt);

/// A block per case: its newest results; all of them with `every_run`.
std::string series_text(std::vector<ShownSeries> const& shown, bool every_run);
/// perfcheck.series/1, see docs/cli.md.
std::string series_json_text(std::vector<ShownSeries> const& shown);

}  // namespace perfcheck::trends
