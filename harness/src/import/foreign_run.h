// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What all importers share: from what a foreign file said to a run.
#pragma once

#include "perfcheck/import/import.h"

namespace perfcheck::importing {

/// What one foreign file said.
struct ForeignRun {
  std::string tool;     ///< "Google Benchmark"
  std::string version;  ///< of the tool; empty where the file does not tell
  std::string library;  ///< its name among the environment's libraries: "google-benchmark"
  std::string program;  ///< the measured one
  std::string operation;
  std::string id, started;
  model::SourceInfo source;  ///< as the file tells; the options' commit goes first
  model::DeviceInfo device;  ///< without slug
  model::Environment environment;
  std::vector<model::CaseResult> cases;
};

/// A case that is its own control, since foreign programs time no reference.
model::CaseResult foreign_case(model::CaseName const& name);

/// One run of one session. Throws model::FormatError naming `origin` when there is no case, the device's name makes no
/// name of a folder, or nothing says when it was measured.
model::Run assembled(ForeignRun foreign, ImportOptions const& options, std::string_view origin);

/// "gbench-0123456789abcdef": names the run in a text.
std::string id_from_text(std::string_view prefix, std::string_view text);

/// "2026-11-22T09:40:36+02:00" as "2026-11-22T07:40:36Z"; empty when it is no such moment.
std::optional<std::string> utc_of(std::string_view moment);

}  // namespace perfcheck::importing
