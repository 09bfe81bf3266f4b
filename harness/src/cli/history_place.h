// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which history a command works with.
#pragma once

#include "config.h"
#include "history/history.h"
#include "options.h"

namespace perfcheck::cli {

/// --history, else what perfcheck.toml says; empty where neither names one.
std::string history_place(Options const& options, Config const& config);
/// The same; throws UsageError where neither names one.
std::string required_history_place(Options const& options, Config const& config);

/// Keeps a run and what was decided about it; a message tells what was done. A run with slowdowns put in on purpose is
/// left out, with a message.
void keep_in_history(history::History& history, model::Run const& run, gate::Decisions const& decisions,
                     Context& context);

}  // namespace perfcheck::cli
