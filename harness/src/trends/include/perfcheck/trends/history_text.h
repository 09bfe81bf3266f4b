// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `perfcheck history show` prints.
#pragma once

#include "perfcheck/history/history.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::trends {

/// How many of the newest are shown where not all are asked for.
inline constexpr std::size_t kShownRuns = 10;

/// "1a2b3c4d5e6f", "-" where it is not known.
std::string short_commit(history::RunEntry const& run);
/// "1 run", "2 runs"
std::string counted(std::size_t count, char const* what);

/// One block per device: how much there is, and the newest runs; all of them with `every_run`.
std::string runs_text(std::vector<history::RunEntry> const& runs, std::string const& name, bool every_run);
/// perfcheck.runs/1, see docs/cli.md.
std::string runs_json_text(std::vector<history::RunEntry> const& runs);

/// One run with what was decided about it.
std::string run_text(history::RunEntry const& run, history::RunHead const& head,
                     std::optional<history::RunDecision> const& decision);
std::string run_json_text(history::RunEntry const& run, history::RunHead const& head,
                          std::optional<history::RunDecision> const& decision);

}  // namespace perfcheck::trends
