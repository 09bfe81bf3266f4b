// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The client side of the worker protocol: one live worker, spoken to with deadlines.
#pragma once

#include "perfcheck/protocol/contract.h"
#include "perfcheck/protocol/messages.h"
#include "perfcheck/session/child_process.h"

#include <functional>
#include <memory>
#include <stdexcept>

namespace perfcheck::session {

/// The worker is gone or broke the protocol; what() says how, with its last words.
class WorkerLost : public std::runtime_error {
 public:
  enum class How { crashed, timed_out, protocol };
  WorkerLost(How how, std::string const& what) : std::runtime_error(what), how_(how) {}
  How how() const { return how_; }

 private:
  How how_;
};

/// The worker lives but cannot serve (no device, wrong protocol version). Carries the worker's own code and message,
/// each as one line of limited length.
class WorkerRefused : public std::runtime_error {
 public:
  WorkerRefused(std::string code, std::string const& message) : std::runtime_error(message), code_(std::move(code)) {}
  std::string const& code() const { return code_; }

 private:
  std::string code_;
};

/// A first CUDA context can take many seconds, and a sanitizer around the worker some more.
inline constexpr double kStartTimeoutS = 60;

struct WorkerCommand {
  std::vector<std::string> argv;  ///< program and arguments
  int device = 0;
  double start_timeout_s = kStartTimeoutS;  ///< until the hello answer
  double stop_timeout_s = 2;                ///< between bye and SIGKILL
  bool takes_orphans = true;                ///< what it leaves behind ends with it (OrphanKeeper)
  Trust trust = Trust::full;                ///< if confined, the program must be given by a path (see ChildProcess)
};

class WorkerClient {
 public:
  /// Starts the process and exchanges hello. Throws WorkerLost, WorkerRefused, Interrupted, std::system_error.
  WorkerClient(WorkerCommand const& command, Interrupt const* interrupt);

  protocol::HelloAnswer const& hello() const { return hello_; }
  /// How a confined worker is kept apart; empty for others.
  model::Confinement const& confinement() const { return process_->confinement(); }
  /// Throws WorkerLost, WorkerRefused, Interrupted.
  protocol::PlanAnswer plan(std::vector<std::string> const& problems, double timeout_s);
  /// Sends one measure request and waits for its result; `progress` is called for every sign of life. The watchdog
  /// counts from the request, whatever progress arrives: a case that reports for ever still times out. After WorkerLost
  /// the process is gone; after WorkerRefused it is alive and can be asked again. Throws Interrupted.
  protocol::ResultAnswer measure(protocol::MeasureRequest const& request, double timeout_s,
                                 std::function<void(protocol::ProgressAnswer const&)> const& progress = {});
  /// What a case launches, from a worker with `tells_launches`. Throws WorkerLost, WorkerRefused, Interrupted.
  protocol::LaunchesAnswer launches(std::string const& case_id, double timeout_s);
  /// Orderly end: bye, then a short wait, then kill.
  void close();

 private:
  /// Sends a request that is answered at once with `Answer`, a message of the type `type`.
  template <typename Answer>
  Answer ask(protocol::Request const& request, char const* type, Deadline deadline, std::string const& doing);
  /// Loses the worker if there is a breach.
  void check(protocol::Breach const& breach);
  void send(protocol::Request const& request, Deadline deadline, std::string const& doing);
  protocol::Answer next_answer(Deadline deadline, std::string const& doing);
  [[noreturn]] void lost(WorkerLost::How how, std::string const& what);
  [[noreturn]] void ended(std::string const& doing, std::string const& unfinished_line);

  std::string origin_;  ///< the program, as errors name it
  double stop_timeout_s_;
  std::unique_ptr<ChildProcess> process_;
  protocol::HelloAnswer hello_;
};

}  // namespace perfcheck::session
