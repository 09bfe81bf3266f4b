// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a history to the chunks of a report (docs/report-data.md).
#pragma once

#include "perfcheck/console/terminal.h"
#include "perfcheck/report/page_data.h"
#include "perfcheck/report/series.h"
#include "perfcheck/session/interrupt.h"
#include "perfcheck/trends/report_device.h"

#include <functional>
#include <vector>

namespace perfcheck::trends {

/// A device with what was found in its series.
struct BuiltDevice {
  report::ReportDevice device;
  std::vector<report::SeriesFacts> facts;  ///< one per case
};

/// What a build works with. All of it must outlive the build.
struct ReportSource {
  std::string place;  ///< place of the history; every thread opens it for itself
  config::Config const& config;
  std::filesystem::path baselines;
  report::PageKind kind = report::PageKind::single;
  Terminal& terminal;  ///< for progress
  session::Interrupt const& interrupt;
};

/// Receives each chunk, compressed and as text, one at a time and in no particular order.
using ChunkSink = std::function<void(std::string const& key, std::string const& base64)>;

/// Reads one device of the history, writes its chunks, and returns what its pictures and the manifest need. Memory
/// holds a few series at a time, the run blocks of a site, and the details of the latest runs.
BuiltDevice build_device(ReportSource const& source, DeviceHistory const& device, int number, ChunkSink const& sink);

}  // namespace perfcheck::trends
