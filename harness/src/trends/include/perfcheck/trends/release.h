// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The position of a release on the axis of a device's runs.
#pragma once

#include "perfcheck/history/history.h"
#include "perfcheck/session/interrupt.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::trends {

/// A commit that later runs are compared with.
struct Release {
  std::string name;    ///< "v1.2", or as it was asked for
  std::string commit;  ///< its id
  int run = 0;         ///< last run of that commit or of one before it, an index into the runs
};

/// The commit, tag or branch that was asked for. Throws CommandError (undecided) where neither the repository in
/// `folder` nor the runs know it, or no run is as old.
Release release_named(std::string const& name, std::filesystem::path const& folder,
                      std::vector<history::RunEntry> const& runs, session::Interrupt const* interrupt);

/// The newest tag of the repository's commits that matches the glob `tags`, is no older than the first run,
/// and has at least `since` runs behind it. None without such a tag, or without a repository.
std::optional<Release> last_release(std::string const& tags, std::filesystem::path const& folder,
                                    std::vector<history::RunEntry> const& runs, std::size_t since,
                                    session::Interrupt const* interrupt);

}  // namespace perfcheck::trends
