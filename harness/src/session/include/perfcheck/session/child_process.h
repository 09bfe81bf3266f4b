// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One child process with pipes on its standard streams, which never outlives its owner.
#pragma once

#include "perfcheck/model/sealed.h"
#include "perfcheck/session/interrupt.h"

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::session {

using Deadline = std::chrono::steady_clock::time_point;
/// This many seconds from now; a duration that is not a number has passed already.
Deadline deadline_after(double seconds);

/// How a child ended.
struct ExitState {
  bool signalled = false;
  int code = 0;                  ///< exit code, or signal number
  std::string describe() const;  ///< "exit code 3", "killed by signal 11 (Segmentation fault)"
};

enum class ReadOutcome { line, end_of_file, deadline, too_long };

/// What a child may do to the process that starts it.
enum class Trust {
  full,      ///< it is of the same user, as any program that somebody starts
  confined,  ///< nothing, as far as this process can ensure that: another user, no network (confinement())
};

/// Closes this process's memory to other processes of its user (except root): none may trace it, or read or write its
/// memory. False if the system refuses.
bool close_own_memory();

/// Runs in its own process group; the destructor kills the whole group and reaps it. The child also dies when the
/// thread that started it ends (PR_SET_PDEATHSIG), so that thread must outlive this object. Standard error is drained
/// into a bounded tail whenever this object reads, writes or waits.
class ChildProcess {
 public:
  /// `argv[0]` without a slash is looked up in PATH. Throws std::system_error naming the program and the remedy when it
  /// cannot be started. A confined child is given by a path.
  explicit ChildProcess(std::vector<std::string> const& argv, Interrupt const* interrupt = nullptr,
                        Trust trust = Trust::full);
  ~ChildProcess();
  ChildProcess(ChildProcess const&) = delete;
  ChildProcess& operator=(ChildProcess const&) = delete;

  /// When the child ends, also ends the processes that it started and that left its group (OrphanKeeper).
  void take_orphans_along();
  pid_t pid() const;
  /// How a confined child is kept apart; empty for others.
  model::Confinement const& confinement() const;
  /// Writes everything (the newline is added when it is missing) or returns false: the child is gone, closed its input
  /// or did not read before the deadline. Never raises SIGPIPE. Throws Interrupted.
  bool write_line(std::string const& line, Deadline deadline);
  /// Next line without its newline. A deadline that has passed still yields what has arrived. `end_of_file` is also
  /// reported if the child has ended but another process holds the pipe; `line` then is what came after the last
  /// newline. Throws Interrupted.
  ReadOutcome read_line(std::string& line, Deadline deadline);
  void close_input();
  /// Waits for the child to end by itself; empty when the deadline passes. Output that still comes is discarded.
  /// Throws Interrupted.
  std::optional<ExitState> wait(Deadline deadline);
  /// Waits for the end until the deadline; kills the process group when it passes. Throws Interrupted.
  ExitState wait_or_kill(Deadline deadline);
  /// Kills at once and reaps.
  ExitState kill();
  /// The last 8 KiB of standard error.
  std::string error_tail() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfcheck::session
