// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a measuring command sets up first: configuration, worker, plan.
#pragma once

#include "options.h"
#include "plan.h"
#include "session/worker_client.h"

namespace perfcheck::cli {

struct Workbench {
  Config config;
  session::WorkerCommand command;
  std::string why_this_worker;
  std::string suite;
  Plan plan;
  std::filesystem::path baselines;

  BackendConfig const& backend() const { return config.backend(plan.hello.worker.backend); }
  model::DeviceInfo const& device() const { return plan.hello.device; }
};

/// The worker that the options ask for, as a command. `why` says why it was chosen.
session::WorkerCommand worker_command(Options const& options, std::string& why);

std::filesystem::path baselines_folder(Options const& options, Config const& config);

/// Starts the worker once, plans, and ends it: sessions start their own. Throws CommandError when no case is left.
Workbench set_up(Options const& options, Context& context);

}  // namespace perfcheck::cli
