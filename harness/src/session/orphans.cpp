// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/orphans.h"

#include "own_child.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace perfcheck::session {
namespace {

/// A process that keeps forking is caught between two forks; one inside a driver dies later.
constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::milliseconds kLook{2};

std::atomic<bool> is_keeping = false;

struct OwnChildren {
  std::mutex mutex;
  std::set<pid_t> pids;
};
OwnChildren& own_children() {
  static OwnChildren children;
  return children;
}

struct ProcessStat {
  pid_t parent = 0;
  std::uint64_t started = 0;
};

/// Empty when there is no such process. Fields 4 and 22 of /proc/PID/stat (proc_pid_stat(5)).
std::optional<ProcessStat> stat_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  // The whole file, since a name may hold newlines. A stream iterator would throw if the process ended meanwhile.
  std::getline(file, text, '\0');
  auto const name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  ProcessStat stat;
  std::string state, skipped;
  fields >> state >> stat.parent;
  for (int field = 5; field < 22; ++field) fields >> skipped;
  fields >> stat.started;
  return fields ? std::optional(stat) : std::nullopt;
}

/// Processes that were left to this one and started no earlier than `started`.
std::vector<pid_t> orphans_since(std::uint64_t started) {
  std::lock_guard const lock(own_children().mutex);
  std::vector<pid_t> orphans;
  std::error_code ignored;
  for (auto const& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::string const name = entry.path().filename();
    pid_t pid = 0;
    auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || *end != '\0' || own_children().pids.contains(pid)) continue;
    auto const stat = stat_of(pid);
    if (stat && stat->parent == ::getpid() && stat->started >= started) orphans.push_back(pid);
  }
  return orphans;
}

}  // namespace

OrphanKeeper::OrphanKeeper() { is_keeping = ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0; }

OrphanKeeper::~OrphanKeeper() {
  is_keeping = false;
  (void)::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

OwnChild::OwnChild(pid_t pid) : pid_(pid) {
  std::lock_guard const lock(own_children().mutex);
  own_children().pids.insert(pid);
  if (auto const stat = stat_of(pid)) started_ = stat->started;
}

OwnChild::~OwnChild() {
  std::lock_guard const lock(own_children().mutex);
  own_children().pids.erase(pid_);
}

void OwnChild::end_orphans() const {
  if (!is_keeping || !started_) return;
  auto const end = std::chrono::steady_clock::now() + kPatience;
  for (auto orphans = orphans_since(*started_); !orphans.empty() && std::chrono::steady_clock::now() < end;
       orphans = orphans_since(*started_)) {
    for (pid_t const pid : orphans) (void)::kill(pid, SIGKILL);
    std::this_thread::sleep_for(kLook);
    for (pid_t const pid : orphans) (void)::waitpid(pid, nullptr, WNOHANG);
  }
}

}  // namespace perfcheck::session
