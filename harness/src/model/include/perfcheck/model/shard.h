// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Fan-out: a plan measured in parts, on several devices of one model, and put together again.
#pragma once

#include "perfcheck/model/run.h"

namespace perfcheck::model {

/// More devices than any fan-out has. Limited because missing shards are named one by one.
inline constexpr int kMostShards = 10'000;

/// The shard that measures a case, 1 to `count`: by a hash of its id alone, so that all machines agree without talking,
/// and a new case never moves another one to a different card.
int shard_of(std::string_view case_id, int count);

/// Does a run that measures `shard` (all cases, when absent) measure this case?
bool measures(std::optional<Shard> const& shard, std::string_view case_id);

/// What the shards of one fan-out make together.
struct MergedRun {
  Run run;                   ///< `shard` has index 0; sessions in the order of the shards
  std::vector<int> missing;  ///< indices of shards that are missing
};

/// Merges shards, in any order. The run's id is made from those of its shards, so that merging again gives the same id
/// and content. Throws std::invalid_argument, one line that names the runs and the remedy, for runs that are not shards
/// or hold no session, for shards of different fan-outs (operation, device model, commit, suite, filters, injected
/// slowdowns, count, fan-out), for a shard given twice, and for a case that belongs to another shard.
MergedRun merge(std::vector<Run> shards);

}  // namespace perfcheck::model
