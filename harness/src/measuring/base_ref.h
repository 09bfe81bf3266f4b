// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the worker of an earlier commit.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"

#include <filesystem>

namespace perfcheck::measuring {

/// Checks the commit out into a git worktree of its own below the folder that [base] names, builds it there with the
/// command of [base], and returns its worker for `backend`. A build that succeeded before is used again; one that was
/// interrupted goes on. The present tree is not touched. Throws UsageError when the name is no commit, ConfigError when
/// perfcheck.toml has no [base], CommandError when the build fails or leaves no worker, Interrupted.
std::filesystem::path build_base(std::string const& ref, config::Config const& config, std::string const& backend,
                                 Context& context);

}  // namespace perfcheck::measuring
