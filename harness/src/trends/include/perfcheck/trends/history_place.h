// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which history a command works with.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"
#include "perfcheck/history/history.h"

namespace perfcheck::trends {

/// What --history takes to mean: none, whatever perfcheck.toml says.
inline constexpr char const* kNoHistory = "none";

/// `given` with --history, else what perfcheck.toml says; empty where neither names one.
std::string history_place(std::string const& given, config::Config const& config);
/// The same; throws UsageError where neither names one.
std::string required_history_place(std::string const& given, config::Config const& config);
/// The history to read from, with today's ids. Throws history::HistoryError.
history::History open_history(std::string const& place, config::Config const& config);

/// Keeps a run and what was decided about it; a message tells what was done. A run with slowdowns put in on purpose is
/// left out, with a message.
void keep_in_history(history::History& history, model::Run const& run, gate::Decisions const& decisions,
                     Context& context);

/// A shard waits in the history for the others. Throws UsageError for one whose fan-out has no name to find it by.
void require_fan_out(std::optional<model::Shard> const& shard);
/// The same as keep_in_history() for a run merged from shards, which are forgotten.
void keep_merged(history::History& history, model::Run const& run, gate::Decisions const& decisions, Context& context);
void keep_shard_in_history(history::History& history, model::Run const& run, Context& context);

}  // namespace perfcheck::trends
