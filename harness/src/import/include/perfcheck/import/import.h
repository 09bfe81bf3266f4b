// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Results that other benchmark programs wrote, as runs: Google Benchmark's JSON and NVBench's. Their benchmarks become
// cases with times only; nobody verified them. docs/file-formats.md says what becomes what.
#pragma once

#include "perfcheck/model/run.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace perfcheck::importing {

/// What the files of other programs do not say.
struct ImportOptions {
  std::string device_name;    ///< empty: as the file says; Google Benchmark knows only how many CPUs there are
  std::optional<int> device;  ///< whose results to take from an NVBench file that holds those of several devices
  std::string operation;      ///< names the baseline's file; empty: "gbench" or "nvbench"
  std::string started;        ///< UTC, ISO 8601; needed for NVBench, whose files hold no date
  std::string tool_version;   ///< of this perfcheck
  model::SourceInfo source;   ///< what was measured
  /// Content of a file that the imported one names, such as "out.json-bin/0.bin"; empty when it cannot be read. Without
  /// this function NVBench's raw samples are left alone and its summaries are used.
  std::function<std::optional<std::string>(std::string const& name)> read_side_file;
};

/// The run in `text`, whichever of the known formats it has: a run file of perfcheck's own, which the options do not
/// touch, or a file of another program, which becomes a run of one session. The run's id follows from the text, so the
/// same file is always the same run. Throws model::FormatError, naming `origin`, the place and the remedy.
model::Run run_from_any(std::string_view text, std::string_view origin, ImportOptions const& options);

}  // namespace perfcheck::importing
