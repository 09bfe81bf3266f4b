// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting until a machine is fit for measuring, and the time budget for that.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/gate/fitness.h"
#include "perfcheck/protocol/messages.h"
#include "perfcheck/session/worker_client.h"

#include <chrono>

namespace perfcheck::measuring {

/// Time that one command may spend in total on waiting and measuring again.
class RetryBudget {
 public:
  explicit RetryBudget(double seconds) : total_(seconds), left_(seconds) {}
  double total() const { return total_; }
  double left() const { return left_; }
  void spend(double seconds) { left_ = seconds < left_ ? left_ - seconds : 0; }

 private:
  double total_, left_;
};

/// Sleeps; throws session::Interrupted when a signal arrives first.
void sleep_for(double seconds, session::Interrupt const& interrupt);

/// One device of a machine, as its worker sees it.
class FitMachine {
 public:
  FitMachine(gate::FitnessPolicy policy, session::WorkerCommand command, RetryBudget& budget, Context& context)
      : policy_(std::move(policy)), command_(std::move(command)), budget_(budget), context_(context) {}

  gate::FitnessPolicy const& policy() const { return policy_; }
  RetryBudget& budget() const { return budget_; }
  /// Starts the worker and asks why the machine is not fit now; empty when it is fit.
  std::vector<std::string> ask() const;
  /// Waits until the machine, which was found unfit for `reasons`, is fit or the budget is used up. Returns the reasons
  /// that remain.
  std::vector<std::string> wait(std::vector<std::string> reasons) const;

 private:
  gate::FitnessPolicy policy_;
  session::WorkerCommand command_;
  RetryBudget& budget_;
  Context& context_;
};

/// Why a worker's machine was not fit when the worker said hello.
std::vector<std::string> unfit_at_hello(gate::FitnessPolicy const& policy, protocol::HelloAnswer const& hello);

/// Marks those results of a session that say nothing about the code (model::CaseResult::unfit), and returns their ids.
/// For a worker that crashed or timed out without reporting the device's state, asks `machine`.
std::vector<std::string> mark_unfit(model::Session& session, FitMachine const& machine);

}  // namespace perfcheck::measuring
