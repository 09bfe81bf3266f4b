// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// With which program points were measured.
#pragma once

#include "perfcheck/session/worker_client.h"

#include <string>

namespace perfcheck::tuning {

/// Hashes of a worker's command. Programs count with their contents, wherever they lie; all other words as they are.
struct CommandHashes {
  std::string whole;
  /// Without the worker's program, which is the last program of the command. Arguments, and whatever runs the worker,
  /// such as a sanitizer, change times without changing what is launched.
  std::string around_worker;
};
CommandHashes hashes_of(session::WorkerCommand const& command);

}  // namespace perfcheck::tuning
