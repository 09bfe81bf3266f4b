// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a case launches, without verifying or timing it.
#pragma once

#include "measure_case.h"
#include "perfcheck/worker/worker.h"

#include <vector>

namespace perfcheck::worker {

/// Asks the device or, if that cannot tell, the build (`objects`). On a device the case is launched once, because
/// libraries build their plans then, and recorded; nothing is compared. Device errors are told in the answer.
protocol::LaunchesAnswer launches_of(device::Backend& backend, Subject const& subject,
                                     std::vector<KernelObject> const& objects);

}  // namespace perfcheck::worker
