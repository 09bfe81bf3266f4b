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
  std::string out;      ///< file of the merged run; empty: none
  std::string history;  ///< check: --history; empty: as perfcheck.toml says
};

/// Measures a shard on each device that --devices names, merges the shards, and shows the merged run.
model::ExitCode fan_out_run(FanOutOptions const& options, Context& context);
/// The same, and decides about the merged run.
model::ExitCode fan_out_check(FanOutOptions const& options, Context& context);

}  // namespace perfcheck::cli
