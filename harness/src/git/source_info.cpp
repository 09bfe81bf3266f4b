// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/git/source_info.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/session/child_process.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace perfcheck::git {
namespace {

namespace fs = std::filesystem;

// A working tree on a slow network disk takes a second or two; a hanging one must not hold up a measurement.
constexpr double kGitSeconds = 10;
constexpr long long kLastSecond = 253402300799;  // of the year 9999

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

std::string repository_page(std::string const& remote) {
  std::string rest = remote;
  if (auto const scheme = rest.find("://"); scheme != std::string::npos) {
    std::string const name = rest.substr(0, scheme);
    if (name != "https" && name != "http" && name != "ssh" && name != "git") {
      return "";
    }
    rest = rest.substr(scheme + 3);
  } else if (auto const colon = rest.find(':'); colon != std::string::npos && colon > 1 && colon < rest.find('/')) {
    rest[colon] = '/';  // user@host:path, as ssh has it
  } else {
    return "";  // a folder
  }
  auto const slash = rest.find('/');
  if (slash == std::string::npos) {
    return "";
  }
  std::string host = rest.substr(0, slash), path = rest.substr(slash);
  host = host.substr(host.rfind('@') == std::string::npos ? 0 : host.rfind('@') + 1);  // user and password
  if (remote.starts_with("ssh://") || remote.starts_with("git://")) {
    host = host.substr(0, host.find(':'));  // that port serves no pages
  }
  while (path.ends_with('/')) {
    path.pop_back();
  }
  if (path.ends_with(".git")) {
    path.resize(path.size() - 4);
  }
  auto const harmless = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~/:+").find(c) != std::string_view::npos;
  };
  std::string const page = host + path;
  bool const usable = !host.empty() && path.size() > 1 && std::all_of(page.begin(), page.end(), harmless);
  return usable ? (remote.starts_with("http://") ? "http://" : "https://") + page : "";
}

model::SourceInfo commit_of_log(std::vector<std::string> lines) {
  lines.resize(4);  // git leaves empty lines at the end out
  model::SourceInfo info;
  info.commit = lines[0];
  long long const seconds = std::strtoll(lines[1].c_str(), nullptr, 10);
  info.committed = seconds > 0 && seconds <= kLastSecond ? clock::utc_text(seconds) : "";
  info.author = lines[2];
  info.subject = lines[3];
  return info;
}

model::SourceInfo commit_info(fs::path const& folder, std::string const& commit, session::Interrupt const* interrupt) {
  model::SourceInfo info;
  // --end-of-options: a commit's name comes from a file and must not become an option.
  auto const found = git_lines(
      folder, {"log", "-1", "--format=%H%n%ct%n%an%n%s", "--end-of-options", commit + "^{commit}", "--"}, interrupt);
  if (!found || found->empty()) {
    return info;
  }
  info = commit_of_log(*found);
  info.repository =
      repository_page(first_or_empty(git_lines(folder, {"config", "--get", "remote.origin.url"}, interrupt)));
  return info;
}

void complete(model::SourceInfo& source, fs::path const& folder, session::Interrupt const* interrupt) {
  if (source.commit.empty() || !source.committed.empty()) {
    return;
  }
  model::SourceInfo const known = commit_info(folder, source.commit, interrupt);
  if (known.commit == source.commit) {
    source.committed = known.committed;
    source.author = known.author;
    source.subject = source.subject.empty() ? known.subject : source.subject;
    source.repository = source.repository.empty() ? known.repository : source.repository;
  }
}

model::SourceInfo source_info(fs::path const& folder, fs::path const& baselines, session::Interrupt const* interrupt) {
  model::SourceInfo info = commit_info(folder, "HEAD", interrupt);
  if (info.commit.empty()) {
    return info;
  }
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

}  // namespace perfcheck::git
