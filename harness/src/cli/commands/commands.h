// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands. Each returns the exit code; errors are exceptions (errors.h) that app.cpp turns into one line and a
// code.
#pragma once

#include "command_line/options.h"

namespace perfcheck::cli {

model::ExitCode command_list(Options const& options, Context& context);
model::ExitCode command_doctor(Options const& options, Context& context);
model::ExitCode command_run(Options const& options, Context& context);
model::ExitCode command_check(Options const& options, Context& context);
model::ExitCode command_audit(Options const& options, Context& context);
model::ExitCode command_compare(Options const& options, Context& context);
model::ExitCode command_merge(Options const& options, Context& context);
model::ExitCode command_ab(Options const& options, Context& context);
model::ExitCode command_calibrate(Options const& options, Context& context);
model::ExitCode command_tune(Options const& options, Context& context);
model::ExitCode command_baseline_accept(Options const& options, Context& context);
model::ExitCode command_baseline_show(Options const& options, Context& context);
model::ExitCode command_baseline_upgrade(Options const& options, Context& context);
model::ExitCode command_history_add(Options const& options, Context& context);
model::ExitCode command_history_show(Options const& options, Context& context);
model::ExitCode command_history_creep(Options const& options, Context& context);
model::ExitCode command_history_export(Options const& options, Context& context);
model::ExitCode command_history_upgrade(Options const& options, Context& context);
model::ExitCode command_report(Options const& options, Context& context);

}  // namespace perfcheck::cli
