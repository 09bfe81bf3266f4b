// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a history to the chunks of a report (docs/report-data.md).
#pragma once

#include "command_line/terminal.h"
#include "perfcheck/report/series.h"
#include "perfcheck/session/interrupt.h"
#include "perfcheck/trends/report_device.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace perfcheck::cli {

/// A device with what was found in its series.
struct BuiltDevice {
  report::ReportDevice device;
  std::vector<report::SeriesFacts> facts;  ///< one per case
};

/// What a build works with. All of it must outlive the build.
struct ReportSource {
  std::string place;  ///< of the history; every thread opens it for itself
  Config const& config;
  std::filesystem::path baselines;
  report::PageKind kind = report::PageKind::single;
  Terminal& terminal;  ///< for progress
  session::Interrupt const& interrupt;
};

/// Receives each chunk, compressed and as text, one at a time and in no particular order.
using ChunkSink = std::function<void(std::string const& key, std::string const& base64)>;

/// One case over the device's runs, and its newest result.
struct CaseSeries {
  report::Series series;
  std::optional<history::Result> newest;
};

/// What a case is followed by: what its newest decision went by, else the ratio, cycles or time, whichever it has.
report::Metric metric_of(CaseSeries const& series);

/// The runs of a device, by their numbers in the history.
class RunAxis {
 public:
  explicit RunAxis(std::vector<history::RunEntry> const& runs);

  /// Index of a run on the axis; none where the history got it after the axis was made.
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

/// Reads one device of the history, writes its chunks, and returns what its pictures and the manifest need. Memory
/// holds a few series at a time, the run blocks of a site, and the details of the latest runs.
BuiltDevice build_device(ReportSource const& source, DeviceHistory const& device, int number, ChunkSink const& sink);

}  // namespace perfcheck::cli
