// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "base_ref.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/git/source_info.h"
#include "perfcheck/session/child_process.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <deque>

namespace perfcheck::measuring {
namespace {

namespace fs = std::filesystem;

constexpr double kBuildSeconds = 4 * 3600;
constexpr std::size_t kShownLines = 12;

std::string commit_of(std::string const& ref, fs::path const& root, Context& context) {
  auto const lines = git::git_lines(root, {"rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}"},
                                    &context.interrupt);
  if (!lines || lines->size() != 1) {
    throw UsageError(fmt::format("--base-ref {}: git in {} knows no such commit; fetch it, or name another", ref,
                                 fs::absolute(root).string()));
  }
  return lines->front();
}

/// Runs a shell command in a folder and shows its latest line of output while it runs.
void build(fs::path const& folder, std::string const& command, Context& context) {
  session::ChildProcess shell({"/bin/sh", "-c", "cd \"$1\" && eval \"$2\" 2>&1", "sh", folder.string(), command},
                              &context.interrupt);
  shell.close_input();
  session::Deadline const deadline = session::deadline_after(kBuildSeconds);
  std::deque<std::string> tail;
  std::string line;
  while (shell.read_line(line, deadline) == session::ReadOutcome::line) {
    context.terminal.status("building the base: " + line);
    tail.push_back(line);
    if (tail.size() > kShownLines) {
      tail.pop_front();
    }
  }
  session::ExitState const state = shell.wait_or_kill(deadline);
  context.terminal.wipe_status();
  if (state.signalled || state.code != 0) {
    for (std::string const& shown : tail) {
      context.terminal.message(shown);
    }
    throw CommandError(
        model::ExitCode::undecided,
        fmt::format("the base build failed ({}) in {}: {}; mend its recipe in perfcheck.toml, or build it "
                    "yourself and give its worker with --base",
                    state.describe(), folder.string(), command));
  }
}

std::string with_root(std::string command, fs::path const& root) {
  constexpr std::string_view kRoot = "{root}";
  for (std::size_t at = command.find(kRoot); at != std::string::npos; at = command.find(kRoot, at)) {
    command.replace(at, kRoot.size(), root.string());
    at += root.string().size();
  }
  return command;
}

}  // namespace

fs::path build_base(std::string const& ref, config::Config const& config, std::string const& backend,
                    Context& context) {
  config::BaseConfig const& base = config.base;
  auto const recipe = base.recipes.find(backend);
  if (recipe == base.recipes.end()) {
    throw config::ConfigError(
        fmt::format("{}: --base-ref needs to know how to build a commit: add [base.{}] with build, a "
                    "shell command, and worker, the worker's path in the built tree",
                    config.file.string(), backend));
  }
  fs::path const root = fs::absolute(config.file).parent_path();
  std::string const commit = commit_of(ref, root, context);
  fs::path const folder = fs::absolute(root / base.folder / commit.substr(0, 16));
  fs::path const program = folder / recipe->second.worker;
  fs::path const built = fmt::format("{}.built-{}", folder.string(), backend);
  if (fs::exists(built) && fs::exists(program)) {
    context.terminal.message(
        fmt::format("base: {} ({}), built before in {}", ref, commit.substr(0, 12), folder.string()));
    return program;
  }
  context.terminal.message(fmt::format("base: building {} ({}) in {}", ref, commit.substr(0, 12), folder.string()));
  if (!fs::exists(folder / ".git")) {
    fs::create_directories(folder.parent_path());
    // A worktree that was deleted by hand leaves an entry behind, with which git refuses to add it again.
    (void)git::git_lines(root, {"worktree", "prune"}, &context.interrupt);
    if (!git::git_lines(root, {"worktree", "add", "--quiet", "--detach", folder.string(), commit},
                        &context.interrupt)) {
      throw CommandError(
          model::ExitCode::undecided,
          fmt::format("git worktree add {} {} failed; try it by hand to see why", folder.string(), commit));
    }
  }
  build(folder, with_root(recipe->second.build, root), context);
  if (!fs::exists(program)) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("{}: the base build left no such worker; mend base.{}.worker in {}",
                                   program.string(), backend, config.file.string()));
  }
  store::write_file_atomically(built, commit + "\n");
  return program;
}

}  // namespace perfcheck::measuring
