// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the worker of an earlier commit.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"

#include <filesystem>

namespace perfcheck::measuring {

/// Checks the commit out into its own git worktree below the folder that [base] names, builds it there with the command
/// in [base], and returns its worker for `backend`. Reuses a build that succeeded before and continues one that was
/// interrupted. Does not touch the present tree. Throws UsageError when `ref` is not a commit, ConfigError when
/// perfcheck.toml has no recipe for the backend in [base], CommandError when the build fails or leaves no worker, and
/// Interrupted.
std::filesystem::path build_base(std::string const& ref, config::Config const& config, std::string const& backend,
                                 Context& context);

}  // namespace perfcheck::measuring
