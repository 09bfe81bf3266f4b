// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What git says about the measured code.
#pragma once

#include "model/run.h"
#include "session/interrupt.h"

#include <filesystem>
#include <optional>

namespace perfcheck::cli {

/// Output lines of `git -C folder args...`; empty when git is not there, fails, or takes longer than a few seconds.
std::optional<std::vector<std::string>> git_lines(std::filesystem::path const& folder,
                                                  std::vector<std::string> const& args,
                                                  session::Interrupt const* interrupt);

/// Commit, branch, subject and whether there are uncommitted changes, those under `baselines` aside: recording a
/// baseline does not make the code another. All empty outside of a git working tree.
model::SourceInfo source_info(std::filesystem::path const& folder, std::filesystem::path const& baselines,
                              session::Interrupt const* interrupt);

/// Who is at work: git's user.name, else $USER or $LOGNAME, else empty.
std::string current_user(std::filesystem::path const& folder, session::Interrupt const* interrupt);

}  // namespace perfcheck::cli
