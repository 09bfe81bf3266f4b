// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Several devices of one machine at once: a perfcheck per device, each measuring a shard.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"

#include <vector>

namespace perfcheck::measuring {

/// The devices that --devices names: "all" that the worker knows, or indices with commas. Throws UsageError for other
/// texts and for a device that is named twice.
std::vector<int> devices_of(Options const& options, Context& context);

/// Runs this program's command once for each device, as shard I of N, all at the same time; their messages are shown
/// with the device in front. Returns the shards' runs; one that left no run file is told and left out.
std::vector<model::Run> measure_shards(std::vector<int> const& devices, Context& context);

}  // namespace perfcheck::measuring
