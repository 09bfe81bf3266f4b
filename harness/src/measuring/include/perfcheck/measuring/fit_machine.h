// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a machine that is fit to be measured on, and for the device while another perfcheck has it.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/gate/fitness.h"
#include "perfcheck/protocol/messages.h"
#include "perfcheck/session/worker_client.h"

#include <chrono>

namespace perfcheck::measuring {

/// Time for waiting and measuring again that a whole command shares.
class RetryBudget {
 public:
  explicit RetryBudget(double seconds) : total_(seconds), left_(seconds) {}
  double total() const { return total_; }
  double left() const { return left_; }
  void spend(double seconds) { left_ = seconds < left_ ? left_ - seconds : 0; }

 private:
  double total_, left_;
};

/// Sleeps; throws session::Interrupted when a signal comes first.
void sleep_for(double seconds, session::Interrupt const& interrupt);

/// One device of a machine, as its worker sees it.
class FitMachine {
 public:
  FitMachine(gate::FitnessPolicy policy, session::WorkerCommand command, RetryBudget& budget, Context& context)
      : policy_(std::move(policy)), command_(std::move(command)), budget_(budget), context_(context) {}

  gate::FitnessPolicy const& policy() const { return policy_; }
  RetryBudget& budget() const { return budget_; }
  /// Why it is not fit now: starts the worker and asks.
  std::vector<std::string> ask() const;
  /// Waits, after `reasons` were found, until it is fit; the reasons that are left when the budget is used up.
  std::vector<std::string> wait(std::vector<std::string> reasons) const;

 private:
  gate::FitnessPolicy policy_;
  session::WorkerCommand command_;
  RetryBudget& budget_;
  Context& context_;
};

/// Why a worker's machine was not fit when it said hello.
std::vector<std::string> unfit_at_hello(gate::FitnessPolicy const& policy, protocol::HelloAnswer const& hello);

/// Marks results of a session that say nothing about the code (model::CaseResult::unfit), and returns their ids. What a
/// lost worker cannot tell any more is asked of `machine`.
std::vector<std::string> mark_unfit(model::Session& session, FitMachine const& machine);

}  // namespace perfcheck::measuring
