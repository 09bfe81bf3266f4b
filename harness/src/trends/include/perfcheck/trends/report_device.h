// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One device of a history as the report shows it: runs, commits, environments, problems, kernels and cases.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/history/history.h"
#include "perfcheck/report/page_data.h"

#include <map>

namespace perfcheck::trends {

/// The runs and series of one device and operation in a history.
struct DeviceHistory {
  std::string device_slug, operation;
  std::vector<history::RunEntry> runs;       ///< in the order of the axis
  std::vector<history::SeriesEntry> series;  ///< in the order of the cases
  /// Including those that a filter leaves out: how noisy the device is does not depend on the selection.
  std::vector<history::SeriesEntry> all_series;
};

/// All operations of its cases; first the one under which its runs are stored.
std::vector<std::string> operations_of(DeviceHistory const& device);

/// Sorted by device and operation. `series` are those that a filter selects (all, when there is none).
std::vector<DeviceHistory> devices_of(history::History& history, std::vector<std::string> const& filters);

/// The device as the heads of its runs describe it: everything except the figures of its cases and the counts of its
/// runs. `baselines` is the folder of the stored baselines.
report::ReportDevice device_frame(history::History& history, DeviceHistory const& device, config::Config const& config,
                                  std::filesystem::path const& baselines);

/// Adds `newest`, the newest result of a case. `measured`: the case in that run; null where it is not known.
void add_latest(report::ReportDevice& device, std::size_t case_index, int run, history::Result const& newest,
                model::CaseResult const* measured);

}  // namespace perfcheck::trends
