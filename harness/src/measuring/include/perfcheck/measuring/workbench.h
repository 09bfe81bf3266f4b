// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a measuring command sets up first: configuration, worker, plan.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/device_lock.h"
#include "perfcheck/measuring/fit_machine.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/measuring/plan.h"
#include "perfcheck/session/worker_client.h"

#include <memory>

namespace perfcheck::measuring {

struct Workbench {
  config::Config config;
  session::WorkerCommand command;
  std::string why_this_worker;
  std::string suite;
  Plan plan;
  std::filesystem::path baselines;
  /// Shared by everything that the command does on the device; null before set_up().
  std::shared_ptr<RetryBudget> budget;
  std::shared_ptr<DeviceLock const> lock;

  config::BackendConfig const& backend() const { return config.backend(plan.hello.worker.backend); }
  model::DeviceInfo const& device() const { return plan.hello.device; }
  FitMachine machine(Context& context) const { return {backend().fitness, command, *budget, context}; }
};

/// The command of the worker that the options ask for. `why` receives the reason for the choice.
session::WorkerCommand worker_command(Options const& options, config::Config const& config, std::string& why);

/// Starts the worker once, makes the plan, and ends it: sessions start their own. Locks the device if it is a GPU, and
/// waits until the machine is fit. Throws CommandError when the filters leave no case, or when the machine does not
/// become fit within the budget; a shard may be empty.
Workbench set_up(Options const& options, Context& context);

}  // namespace perfcheck::measuring
