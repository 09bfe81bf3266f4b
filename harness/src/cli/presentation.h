// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the result of run, check and compare, as the options ask.
#pragma once

#include "gate/gate.h"
#include "options.h"

namespace perfcheck::cli {

/// Table or JSON of a comparison. `command` is the one that measures a failing case again, "check"; empty for
/// comparisons that measured nothing.
void present(model::Run const& run, gate::Decisions const& decisions, gate::Policy const& policy,
             Options const& options, Context& context, std::string const& command);

/// Table or JSON of a run alone.
void present(model::Run const& run, model::ExitCode exit_code, Options const& options, Context& context,
             std::string const& command);

/// The worst status of a run: 0 when every case was measured, verified or skipped for a reason of its own.
model::ExitCode exit_code_of(model::Run const& run);

}  // namespace perfcheck::cli
