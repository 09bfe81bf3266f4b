// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The part that all importers share: from the content of a foreign file to a run.
#pragma once

#include "perfcheck/import/import.h"

namespace perfcheck::importing {

/// The content of one foreign file.
struct ForeignRun {
  std::string tool;     ///< "Google Benchmark"
  std::string version;  ///< of the tool; empty if the file does not name it
  std::string library;  ///< the tool's name among the environment's libraries: "google-benchmark"
  std::string program;  ///< the measured program
  std::string operation;
  std::string id, started;
  model::SourceInfo source;  ///< from the file; a commit in the options takes precedence
  model::DeviceInfo device;  ///< without slug
  model::Environment environment;
  std::vector<model::CaseResult> cases;
};

/// A case that is its own reference, since foreign programs do not time one.
model::CaseResult foreign_case(model::CaseName const& name);

/// A run with one session. Throws model::FormatError naming `origin` if there is no case, if no folder name can be made
/// of the device's name, or if the date of the measurement is unknown.
model::Run assembled(ForeignRun foreign, ImportOptions const& options, std::string_view origin);

/// The id of the run in a text: "gbench-0123456789abcdef".
std::string id_from_text(std::string_view prefix, std::string_view text);

/// Converts "2026-11-22T09:40:36+02:00" to "2026-11-22T07:40:36Z"; empty when the text is not such a date and time.
std::optional<std::string> utc_of(std::string_view moment);

}  // namespace perfcheck::importing
