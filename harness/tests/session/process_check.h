// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers for tests that check that nothing is left behind.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace perfcheck::session::testing {

inline std::size_t open_descriptors() {
  using Directory = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Directory("/proc/self/fd"), Directory()));
}

/// Does this process have no child at all, dead or alive?
inline bool no_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
}

/// Is the process gone, or dead and not reaped yet? (The new parent of a killed grandchild has to reap it.)
inline bool is_dead(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text{std::istreambuf_iterator<char>(stat), {}};
  std::size_t const name_end = text.rfind(')');
  return name_end == std::string::npos || text.substr(name_end, 3) == ") Z" || text.substr(name_end, 3) == ") X";
}

/// Does the process die within two seconds? When this is called, SIGKILL was sent but may not have taken effect yet.
inline bool dies(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    if (is_dead(pid)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// A file that does not exist yet, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("perfcheck-session-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::remove(path_);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;

  std::string path() const { return path_.string(); }
  std::vector<pid_t> pids() const {
    std::ifstream in(path_);
    return {std::istream_iterator<pid_t>(in), {}};
  }

 private:
  std::filesystem::path path_;
};

/// Sets the default action of the signals that Interrupt watches, and restores the previous one at the end: SIGINT is
/// ignored in background jobs of a shell, SIGHUP under nohup.
class StandardSignals {
 public:
  StandardSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) before_[i] = std::signal(kSignals[i], SIG_DFL);
  }
  ~StandardSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) (void)std::signal(kSignals[i], before_[i]);
  }
  StandardSignals(StandardSignals const&) = delete;
  StandardSignals& operator=(StandardSignals const&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<void (*)(int), 3> before_{};
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace perfcheck::session::testing
