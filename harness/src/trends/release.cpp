// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/release.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/git/source_info.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::trends {
namespace {

// Even of a repository with a thousand releases, the newest tags are enough: a history reaches back only so far.
constexpr char const* kMostTags = "--count=200";
constexpr std::size_t kShortestId = 7;

/// Last run of the commit, else last run of a commit that is no newer.
std::optional<int> place_of(model::SourceInfo const& commit, std::vector<history::RunEntry> const& runs) {
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (!commit.commit.empty() && runs[i].commit == commit.commit) {
      return static_cast<int>(i);
    }
  }
  auto const later = std::ranges::upper_bound(runs, commit.committed, {}, &history::RunEntry::when);
  bool const known = !commit.committed.empty() && later != runs.begin();
  return known ? std::optional(static_cast<int>(later - runs.begin()) - 1) : std::nullopt;
}

/// The full id of a run's commit that begins with `name`: the repository need not be at hand.
std::string commit_of_runs(std::string const& name, std::vector<history::RunEntry> const& runs) {
  auto const found =
      std::ranges::find_if(runs, [&](history::RunEntry const& run) { return run.commit.starts_with(name); });
  return name.size() < kShortestId || found == runs.end() ? "" : found->commit;
}

}  // namespace

Release release_named(std::string const& name, std::filesystem::path const& folder,
                      std::vector<history::RunEntry> const& runs, session::Interrupt const* interrupt) {
  model::SourceInfo commit = git::commit_info(folder, name, interrupt);
  if (commit.commit.empty()) {
    commit.commit = commit_of_runs(name, runs);
  }
  if (commit.commit.empty()) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("--anchor {}: neither the repository in {} nor the history knows such a commit",
                                   name, folder.empty() ? "this folder" : folder.string()));
  }
  std::optional<int> const place = place_of(commit, runs);
  if (!place) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("--anchor {}: no run of {} is as old; measure that commit (ci/pack_commits.sh), or "
                                   "name a later one",
                                   name, runs.empty() ? "the history" : runs.front().device_slug));
  }
  return {.name = name, .commit = commit.commit, .run = *place};
}

std::optional<Release> last_release(std::string const& tags, std::filesystem::path const& folder,
                                    std::vector<history::RunEntry> const& runs, std::size_t since,
                                    session::Interrupt const* interrupt) {
  if (runs.empty()) {
    return std::nullopt;
  }
  auto const names = git::git_lines(folder,
                                    {"for-each-ref", "--merged=HEAD", "--sort=-creatordate", kMostTags,
                                     "--format=%(refname:short)", "refs/tags/" + tags},
                                    interrupt);
  for (std::string const& name : names.value_or(std::vector<std::string>())) {
    model::SourceInfo const commit = git::commit_info(folder, "refs/tags/" + name, interrupt);
    std::optional<int> const place = place_of(commit, runs);
    if (place && static_cast<std::size_t>(*place) + since < runs.size()) {
      return Release{.name = name, .commit = commit.commit, .run = *place};
    }
  }
  return std::nullopt;
}

}  // namespace perfcheck::trends
