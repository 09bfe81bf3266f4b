// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which history a command works with.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"
#include "perfcheck/history/history.h"

namespace perfcheck::trends {

/// The value of --history that means: no history, whatever perfcheck.toml says.
inline constexpr char const* kNoHistory = "none";

/// The history that --history gives, else the one in perfcheck.toml; empty where neither names one.
std::string history_place(std::string const& given, config::Config const& config);
/// The same; throws UsageError where neither names one.
std::string required_history_place(std::string const& given, config::Config const& config);
/// Opens the history for reading; old ids of renamed kernels read as today's. Throws history::HistoryError.
history::History open_history(std::string const& place, config::Config const& config);

/// Stores a run and its decisions in the history, and says so in a message. A run with injected slowdowns is not
/// stored; a message says so.
void keep_in_history(history::History& history, model::Run const& run, gate::Decisions const& decisions,
                     Context& context);

/// For a shard that waits in the history for the others: throws UsageError if it has no name of a fan-out to find it
/// by.
void require_fan_out(std::optional<model::Shard> const& shard);
/// The same as keep_in_history() for a run merged from shards. The shards are dropped from the history.
void keep_merged(history::History& history, model::Run const& run, gate::Decisions const& decisions, Context& context);
void keep_shard_in_history(history::History& history, model::Run const& run, Context& context);

}  // namespace perfcheck::trends
