// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures on several devices of one machine at once: one perfcheck process per device, each measuring a shard.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"

#include <vector>

namespace perfcheck::measuring {

/// The devices that --devices names: "all" for those that the worker knows, or indices separated by commas. Throws
/// UsageError for other texts and for a device that is named twice.
std::vector<int> devices_of(Options const& options, Context& context);

/// Runs this program's command once for each device, as shard I of N, all at the same time, and shows their messages
/// prefixed with the device. Returns the shards' runs. A shard without a run file is reported and left out.
std::vector<model::Run> measure_shards(std::vector<int> const& devices, Context& context);

}  // namespace perfcheck::measuring
