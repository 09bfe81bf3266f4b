// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The judge's connection to a process that launches kernels.
#pragma once

#include "perfcheck/protocol/sealed_messages.h"
#include "perfcheck/session/child_process.h"

#include <functional>
#include <stdexcept>
#include <string>

namespace perfcheck::sealed {

/// The process ended, hung, or gave an invalid answer.
class BenchLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The process says that it could not carry out the request, or that it refuses to.
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
  /// Polls `is_done` until it is true, for what the process does outside of its messages. Throws as await(), and also
  /// if the process answers before that.
  void watch(std::function<bool()> const& is_done, double timeout_s);
  model::Confinement const& confinement() const { return process_.confinement(); }

 private:
  /// Takes an answer. Throws BenchLost, BenchFailed.
  void take(std::string const& line);
  [[noreturn]] void lose(std::string const& how);

  session::ChildProcess process_;
  bool answered_ = false;  ///< the answer came during watch()
};

}  // namespace perfcheck::sealed
