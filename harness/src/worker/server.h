// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers protocol requests; knows streams only as lines in and lines out.
#pragma once

#include "perfcheck/protocol/messages.h"
#include "perfcheck/worker/worker.h"

#include "measure_case.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace perfcheck::worker {

class Server {
 public:
  /// `send` gets one encoded line per answer.
  Server(WorkerSetup& setup, std::function<void(std::string const&)> send);

  /// Handles one request line. False when the worker should end: bye, or the device is lost.
  bool handle(std::string const& line);
  /// True once nothing more can be measured in this process: the exit code says so too.
  bool context_lost() const { return context_lost_; }

 private:
  void hello(protocol::HelloRequest const& request);
  void plan(protocol::PlanRequest const& request);
  void measure(protocol::MeasureRequest const& request);
  void launches(protocol::LaunchesRequest const& request);
  void send(protocol::Answer const& answer);
  void fail(std::string const& code, std::string const& message);
  NamedProblem& problem(std::string const& text);
  KernelInfo const* kernel(std::string const& id) const;
  /// The kernel and the problem of a case. Other problems are dropped first. Throws std::invalid_argument.
  Subject subject_of(std::string const& case_id);
  std::string reference_id(NamedProblem const& problem, KernelInfo const& kernel, std::string const& id) const;

  WorkerSetup& setup_;
  std::function<void(std::string const&)> send_;
  std::vector<std::string> const operations_;
  std::vector<KernelInfo const*> kernels_;
  std::unique_ptr<device::Backend> backend_;
  /// Problems hold reference results in device memory, so only the current ones are kept.
  std::map<std::string, NamedProblem> problems_;
  KnownCases known_;
  uint64_t known_seed_ = 0;
  double known_replay_ms_ = 0;
  int measured_cases_ = 0;
  bool context_lost_ = false;
};

}  // namespace perfcheck::worker
