// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How tests start the scripted worker.
#pragma once

#include "perfcheck/session/worker_client.h"

#include <string>
#include <vector>

namespace perfcheck::session::testing {

inline WorkerCommand scripted(std::vector<std::string> const& flags = {}) {
  WorkerCommand command;
  command.argv = {PERFCHECK_SCRIPTED_WORKER};
  command.argv.insert(command.argv.end(), flags.begin(), flags.end());
  command.start_timeout_s = 20;  // a busy machine may be slow; tests of the limit set their own
  command.stop_timeout_s = 0.2;
  return command;
}

/// The worker with one fault, such as "hello=hang".
inline WorkerCommand faulty(std::string const& fault) { return scripted({"--fault", fault}); }

}  // namespace perfcheck::session::testing
