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
  /// What is left of it is shared by everything that the command does on the device; null before set_up().
  std::shared_ptr<RetryBudget> budget;
  std::shared_ptr<DeviceLock const> lock;

  config::BackendConfig const& backend() const { return config.backend(plan.hello.worker.backend); }
  model::DeviceInfo const& device() const { return plan.hello.device; }
  FitMachine machine(Context& context) const { return {backend().fitness, command, *budget, context}; }
};

/// The worker that the options ask for, as a command. `why` says why it was chosen.
session::WorkerCommand worker_command(Options const& options, config::Config const& config, std::string& why);

/// Starts the worker once, plans, and ends it: sessions start their own. Takes a GPU for itself and waits until the
/// machine is fit. Throws CommandError when no case is left before sharding, or the machine is not fit within the
/// budget; a shard may be empty.
Workbench set_up(Options const& options, Context& context);

}  // namespace perfcheck::measuring
