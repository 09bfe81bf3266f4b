// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports results of other benchmark programs as runs: the JSON of Google Benchmark and of NVBench. Their benchmarks
// become cases with times only, whose results nobody verified. docs/file-formats.md describes the mapping.
#pragma once

#include "perfcheck/model/run.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace perfcheck::importing {

/// What the files of other programs do not contain.
struct ImportOptions {
  std::string device_name;    ///< empty: from the file; Google Benchmark records only the number of CPUs
  std::optional<int> device;  ///< the device to import from an NVBench file with results of several devices
  std::string operation;      ///< names the baseline's file; empty: "gbench" or "nvbench"
  std::string started;        ///< UTC, ISO 8601; needed for NVBench, whose files have no date
  std::string tool_version;   ///< of this perfcheck
  model::SourceInfo source;   ///< what was measured
  /// Reads a file to which the imported one refers, such as "out.json-bin/0.bin"; empty when it cannot be read. Without
  /// this function, NVBench's summaries are used instead of its raw samples.
  std::function<std::optional<std::string>(std::string const& name)> read_side_file;
};

/// The run in `text`, in any of the known formats: perfcheck's own run file, to which the options do not apply, or a
/// file of another program, which becomes a run of one session. The id of such a run is derived from the text, so the
/// same file is always the same run. Throws model::FormatError, naming `origin`, the place and the remedy.
model::Run run_from_any(std::string_view text, std::string_view origin, ImportOptions const& options);

}  // namespace perfcheck::importing
