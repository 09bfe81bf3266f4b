// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line that measures again what failed.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/results/repro.h"

namespace perfcheck::measuring {

/// `command` with the options of this run that matter to a failed case: "check", as perfcheck is told here. `begin`, as
/// given with --repro, is how the line begins elsewhere, instead of this one's program, worker, device, policy and
/// baselines.
results::MeasureAgain measure_again(std::string const& command, std::string const& begin, Options const& options,
                                    Context const& context);

}  // namespace perfcheck::measuring
