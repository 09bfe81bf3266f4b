// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One case over the runs of a device.
#pragma once

#include "perfcheck/history/history.h"
#include "perfcheck/report/series.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::trends {

/// One case over the device's runs, and its newest result.
struct CaseSeries {
  report::Series series;
  std::optional<history::Result> newest;
};

/// The metric by which a case is followed: that of its newest decision, else the first that it has of ratio, cycles and
/// time.
report::Metric metric_of(CaseSeries const& series);

/// The runs of a device, by their numbers in the history.
class RunAxis {
 public:
  explicit RunAxis(std::vector<history::RunEntry> const& runs);

  /// Index of a run on the axis; none where the run was added to the history after the axis was made.
  std::optional<int> index(int64_t number) const;
  /// Which card measured the run at an index, counted from 0.
  int card(int index) const { return cards_[static_cast<std::size_t>(index)]; }
  /// Numbers of the runs' cards, by their names.
  std::map<std::string, int> const& numbers() const { return numbers_; }

 private:
  std::map<int64_t, int> indices_;
  std::map<std::string, int> numbers_;
  std::vector<int> cards_;
};

CaseSeries read_case_series(history::History& history, history::SeriesEntry const& entry, RunAxis const& axis,
                            history::AttributeTexts const& attributes);

}  // namespace perfcheck::trends
