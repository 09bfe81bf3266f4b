// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// run and check on several devices at once.
#pragma once

#include "command_line/options.h"

namespace perfcheck::cli {

enum class FanOut { run, check };

/// Measures on every device that --devices names, merges, and decides or only shows. Throws UsageError for options that
/// make no sense for several devices.
model::ExitCode fan_out(FanOut what, Options const& options, Context& context);

}  // namespace perfcheck::cli
