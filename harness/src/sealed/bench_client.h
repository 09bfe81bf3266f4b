// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The judge's end of a process that launches kernels.
#pragma once

#include "perfcheck/protocol/sealed_messages.h"
#include "perfcheck/session/child_process.h"

#include <functional>
#include <stdexcept>
#include <string>

namespace perfcheck::sealed {

/// The process ended, hung or answered rubbish.
class BenchLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// It says that it could not do what was asked, or will not.
class BenchFailed : public std::runtime_error {
 public:
  BenchFailed(std::string const& what, bool refused) : std::runtime_error(what), refused_(refused) {}
  bool refused() const { return refused_; }

 private:
  bool refused_;
};

class BenchClient {
 public:
  /// Throws std::system_error when the program cannot be started.
  BenchClient(std::string const& program, session::Trust trust);

  /// Sends a request; ask() also waits for the answer. Throw BenchLost, BenchFailed.
  void send(protocol::SealedRequest const& request);
  void await(double timeout_s);
  void ask(protocol::SealedRequest const& request, double timeout_s) {
    send(request);
    await(timeout_s);
  }
  /// Looks for what the process does beside its messages, again and again, until `is_done` sees it. Throws as await(),
  /// also when the process answers before.
  void watch(std::function<bool()> const& is_done, double timeout_s);
  model::Confinement const& confinement() const { return process_.confinement(); }

 private:
  /// Takes an answer. Throws BenchLost, BenchFailed.
  void take(std::string const& line);
  [[noreturn]] void lose(std::string const& how);

  session::ChildProcess process_;
  bool answered_ = false;  ///< while it was watched
};

}  // namespace perfcheck::sealed
