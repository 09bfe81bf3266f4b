// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What git says about the measured code.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/session/interrupt.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::git {

/// Output lines of `git -C folder args...`; empty when git is not there, fails, or takes longer than a few seconds.
std::optional<std::vector<std::string>> git_lines(std::filesystem::path const& folder,
                                                  std::vector<std::string> const& args,
                                                  session::Interrupt const* interrupt);

/// Commit with subject, author and time, branch, page of the repository, and whether there are uncommitted changes.
/// Changes under `baselines` do not count, because recording a baseline does not change the code. All empty outside of
/// a git working tree.
model::SourceInfo source_info(std::filesystem::path const& folder, std::filesystem::path const& baselines,
                              session::Interrupt const* interrupt);

/// A commit from the lines of `git log -1 --format=%H%n%ct%n%an%n%s`. A time after the year 9999 or before 1970 is left
/// out: commits come from anywhere, and git stores any number.
model::SourceInfo commit_of_log(std::vector<std::string> lines);

/// What the repository knows about a commit, by any name that git accepts; all empty if it knows none.
model::SourceInfo commit_info(std::filesystem::path const& folder, std::string const& commit,
                              session::Interrupt const* interrupt);
/// Fills in author and time of a commit that has none on record, as far as the repository in `folder` knows it.
void complete(model::SourceInfo& source, std::filesystem::path const& folder, session::Interrupt const* interrupt);

/// Address of a repository's page from that of its remote, without user and password: "git@host:team/kernels.git" and
/// "https://user:secret@host/team/kernels" both give "https://host/team/kernels". Empty for folders and whatever else
/// has no page.
std::string repository_page(std::string const& remote);

/// Who is at work: git's user.name, else $USER or $LOGNAME, else empty.
std::string current_user(std::filesystem::path const& folder, session::Interrupt const* interrupt);

}  // namespace perfcheck::git
