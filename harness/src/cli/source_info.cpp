// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "source_info.h"

#include "session/child_process.h"

#include <cstdlib>
#include <system_error>

namespace perfcheck::cli {
namespace {

namespace fs = std::filesystem;

// A working tree on a slow network disk takes a second or two; a hanging one must not hold up a measurement.
constexpr double kGitSeconds = 10;

std::string first_or_empty(std::optional<std::vector<std::string>> const& lines) {
  return lines && !lines->empty() ? lines->front() : std::string();
}

std::string folder_or_here(fs::path const& folder) { return folder.empty() ? "." : folder.string(); }

}  // namespace

std::optional<std::vector<std::string>> git_lines(fs::path const& folder, std::vector<std::string> const& args,
                                                  session::Interrupt const* interrupt) {
  std::vector<std::string> argv{"git", "--no-optional-locks", "-C", folder_or_here(folder)};
  argv.insert(argv.end(), args.begin(), args.end());
  try {
    session::ChildProcess git(argv, interrupt);
    git.close_input();
    session::Deadline const deadline = session::deadline_after(kGitSeconds);
    std::vector<std::string> lines;
    std::string line;
    session::ReadOutcome outcome = git.read_line(line, deadline);
    while (outcome == session::ReadOutcome::line) {
      lines.push_back(line);
      outcome = git.read_line(line, deadline);
    }
    if (outcome == session::ReadOutcome::end_of_file && !line.empty()) {
      lines.push_back(line);
    }
    session::ExitState const state = git.wait_or_kill(deadline);
    if (outcome != session::ReadOutcome::end_of_file || state.signalled || state.code != 0) {
      return std::nullopt;
    }
    return lines;
  } catch (std::system_error const&) {
    return std::nullopt;  // no git on this machine
  }
}

model::SourceInfo source_info(fs::path const& folder, fs::path const& baselines, session::Interrupt const* interrupt) {
  model::SourceInfo info;
  auto const head = git_lines(folder, {"log", "-1", "--format=%H%n%s"}, interrupt);
  if (!head || head->empty()) {
    return info;
  }
  info.commit = head->front();
  info.subject = head->size() > 1 ? (*head)[1] : "";
  info.branch = first_or_empty(git_lines(folder, {"symbolic-ref", "--short", "-q", "HEAD"}, interrupt));
  std::vector<std::string> status{"status", "--porcelain", "--", "."};
  fs::path const own = baselines.lexically_relative(folder.empty() ? fs::path(".") : folder);
  if (!own.empty() && *own.begin() != ".." && own != ".") {
    status.push_back(":(exclude)" + own.string());
  }
  auto const changes = git_lines(folder, status, interrupt);
  info.dirty = !changes || !changes->empty();
  return info;
}

std::string current_user(fs::path const& folder, session::Interrupt const* interrupt) {
  if (std::string const name = first_or_empty(git_lines(folder, {"config", "user.name"}, interrupt)); !name.empty()) {
    return name;
  }
  for (char const* variable : {"USER", "LOGNAME"}) {
    if (char const* const name = std::getenv(variable); name != nullptr && *name != '\0') {
      return name;
    }
  }
  return "";
}

}  // namespace perfcheck::cli
