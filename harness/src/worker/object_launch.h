// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a launch on the CPU, where there is no driver to ask.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/worker/worker.h"

#include <vector>

namespace perfcheck::worker {

/// One launch of `kernel`: its file, and the hashes of its object. Empty where the build read no code of it, and for a
/// kernel that calls a library, whose code is elsewhere.
std::vector<model::LaunchAttributes> launch_of_object(KernelInfo const& kernel,
                                                      std::vector<KernelObject> const& objects);

}  // namespace perfcheck::worker
