// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// run and check on several devices of this machine at once.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/results/presentation.h"

#include <string>

namespace perfcheck::cli {

struct FanOutOptions {
  measuring::Options const& measuring;
  results::ShowOptions const& show;
  std::string out;      ///< where the whole goes; empty: nowhere
  std::string history;  ///< check: --history; empty: as perfcheck.toml says
};

/// Measures a shard on each device that --devices names, puts them together, and shows the whole.
model::ExitCode fan_out_run(FanOutOptions const& options, Context& context);
/// Or decides about it.
model::ExitCode fan_out_check(FanOutOptions const& options, Context& context);

}  // namespace perfcheck::cli
