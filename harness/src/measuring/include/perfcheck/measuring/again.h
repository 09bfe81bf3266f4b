// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line that measures failed cases again.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/results/repro.h"

namespace perfcheck::measuring {

/// The command line for `command`, such as "check", with those options of this run that matter to a failed case.
/// `begin`, from --repro, is the beginning of the command line on another machine; it replaces program, worker, device,
/// policy and baselines of this one.
results::MeasureAgain measure_again(std::string const& command, std::string const& begin, Options const& options,
                                    Context const& context);

}  // namespace perfcheck::measuring
