// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks a worker what its cases launch, without timing anything.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/session/worker_client.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::session {

/// What cases launch, by case id.
using ToldLaunches = std::map<std::string, std::vector<model::LaunchAttributes>>;

/// Starts a worker and asks it about each case; after a case that brings it down, another one. Left out are cases about
/// which it could not tell, and all of them if it does not understand the question. Throws WorkerRefused, WorkerLost or
/// std::system_error only when no worker can be started at all, Interrupted on a signal.
ToldLaunches ask_launches(std::set<std::string> const& cases, WorkerCommand const& command, double case_timeout_s,
                          Interrupt const* interrupt);

}  // namespace perfcheck::session
