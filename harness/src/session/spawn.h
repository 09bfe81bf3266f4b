// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts a program with pipes on its standard streams.
#pragma once

#include "fd.h"
#include "perfcheck/session/child_process.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace perfcheck::session {

struct Spawned {
  pid_t pid = -1;
  Fd input, output, error;  ///< our ends of the pipes: non-blocking, closed on exec
  model::Confinement confinement;
  unsigned user = 0;  ///< a user of its own, 0 for none
};

/// The child leads its own process group, has default signal handling and is killed when this thread ends.
/// Throws std::system_error when the program cannot be executed; nothing is left behind then.
Spawned spawn(std::vector<std::string> const& argv, Trust trust = Trust::full);

}  // namespace perfcheck::session
