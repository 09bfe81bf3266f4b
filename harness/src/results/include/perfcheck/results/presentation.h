// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows the result of run, check, compare, ab and merge, as the options ask, and writes it where --result says.
#pragma once

#include "command_line/options.h"
#include "perfcheck/gate/gate.h"
#include "perfcheck/model/baseline.h"

namespace perfcheck::cli {

struct CreptDevice;

/// A finished command, as it is to be shown.
struct Outcome {
  model::Run const& run;
  gate::Decisions const* decisions = nullptr;  ///< null where nothing was compared
  std::vector<model::Verdict> demoted;         ///< verdicts that do not fail the command
  model::ExitCode exit_code = model::ExitCode::undecided;
  /// That measures a failing case again, "check"; empty for commands that measured nothing.
  std::string command;
  model::Baseline const* baseline = nullptr;  ///< what was compared with, for small trends; null: nothing
  CreptDevice const* crept = nullptr;         ///< what the history says about the device; null: it was not asked
};

/// Table or JSON on standard output, then every --result. Throws store::IoError when one cannot be written.
void present(Outcome const& outcome, Options const& options, Context& context);

/// The worst status of a run: 0 when every case was measured, verified or skipped for a reason of its own, 3 when the
/// machine was not fit to measure one.
model::ExitCode exit_code_of(model::Run const& run);

}  // namespace perfcheck::cli
