// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One run and one decision from the shards of a fan-out.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/history/history.h"
#include "perfcheck/model/shard.h"
#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/incomplete.h"
#include "perfcheck/results/presentation.h"

#include <optional>
#include <vector>

namespace perfcheck::results {

/// All shards merged, and what is wrong with the results in their files.
struct Whole : model::MergedRun {
  IncompleteCases incomplete;
};

/// model::merge() for shards that screen each for themselves; `config` says when they looked. Throws UsageError if they
/// are not of one fan-out.
Whole merged(std::vector<model::Run> shards, config::Config const& config);

struct MergeOptions {
  AskedOptions asked;
  std::string baselines;  ///< --baselines; empty: as perfcheck.toml says
  std::string out;        ///< where the whole goes; empty: nowhere
  ShowOptions show;
  MeasureAgain again;
};

/// Decides about the whole against the stored baseline, writes it where --out says, keeps it in the history if it is
/// complete, and shows it. What the suite asks for must be there, as far as --filter selects it. The command fails if a
/// shard is missing, whatever the others say.
model::ExitCode decide_merged(Whole const& whole, config::Config const& config,
                              std::optional<history::History>& history, MergeOptions const& options, Context& context);

}  // namespace perfcheck::results
