// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows the result of run, check, compare, ab and merge, and writes it where --result says.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/report/result_formats.h"
#include "perfcheck/results/repro.h"
#include "perfcheck/trends/device_creep.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::results {

/// One --result FORMAT=FILE.
struct ResultFile {
  std::optional<report::ResultFormat> format;  ///< empty: JSON, as --json prints it
  std::string file;                            ///< "-" is standard output
};

/// Options of commands that show results.
struct ShowOptions {
  std::vector<ResultFile> results;  ///< --result
  std::string result_name;          ///< --result-name; empty: the device's slug
  std::string report_url;           ///< --report-url
  std::string results_dir;          ///< --results-dir: folder for the run file and every format; empty: none
  std::string repro;                ///< --repro; empty: the command with its options
};

/// The outcome of a finished command, to be shown.
struct Outcome {
  model::Run const& run;
  gate::Decisions const* decisions = nullptr;  ///< null where nothing was compared
  std::vector<model::Verdict> demoted;         ///< verdicts that do not fail the command
  model::ExitCode exit_code = model::ExitCode::undecided;
  std::string command;                         ///< that measured, "check"; empty for commands that measured nothing
  MeasureAgain again = {};                     ///< how to measure again what failed
  model::Baseline const* baseline = nullptr;   ///< what was compared with, for small trends; null: nothing
  trends::CreptDevice const* crept = nullptr;  ///< what the history says about the device; null: it was not asked
};

/// Creates --results-dir and removes what an earlier command left there, so that nothing old is taken for a new result.
/// Call it before measuring: it throws store::IoError if the folder cannot be written.
void prepare_results(ShowOptions const& options);

/// Writes the run where --out and --results-dir say. Throws store::IoError.
void write_run(model::Run const& run, std::string const& out, ShowOptions const& options);

/// Table or JSON on standard output, then every --result and what --results-dir holds. Throws store::IoError when one
/// cannot be written.
void present(Outcome const& outcome, ShowOptions const& options, Context& context);

}  // namespace perfcheck::results
