// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Shards of fan-outs that wait to be merged.
#pragma once

#include "database.h"

namespace perfcheck::history {

/// Throws HistoryError for a run that is not a shard of a named fan-out.
void put_shard(Database& database, std::string const& name, model::Run const& run);
std::vector<model::Run> read_shards(Database& database, std::string const& fan_out);
/// Removes the shards from which `merged` was made.
void drop_shards(Database& database, model::Run const& merged);

}  // namespace perfcheck::history
