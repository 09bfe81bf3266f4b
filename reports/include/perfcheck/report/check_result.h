// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a result writer knows about a finished command: plain values.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/run.h"
#include "perfcheck/report/case_rows.h"

#include <map>
#include <string>
#include <vector>

namespace perfcheck::report {

/// Command that measures failed cases again.
struct Repro {
  std::vector<std::string> case_ids;
  std::string command;
};

/// Everything that a result writer may say about one check, compare, merge or run.
struct CheckResult {
  std::string name;           ///< what the result is called, "nvidia-h100-80gb-hbm3"
  model::Run run;             ///< device, source, kernels, sessions
  std::vector<CaseRow> rows;  ///< most important first
  gate::Decisions decisions;  ///< no cases when nothing was compared
  model::ExitCode exit_code = model::ExitCode::undecided;
  std::string command;  ///< "check", "compare", ...
  std::vector<Repro> repro;
  /// By case id: time over the baseline's time (1: unchanged) in the last runs or sessions, oldest first, this run
  /// last.
  std::map<std::string, std::vector<double>> trends;
  std::string report_url;   ///< page with the trends; empty when there is none
  std::string accept_hint;  ///< how to accept on purpose, one line; may be empty
};

}  // namespace perfcheck::report
