// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of kernels/common's: launches are emulated.
#pragma once

#include "simulator.h"

#include <perfcheck/kernel.h>

namespace perfcheck {

struct ClusterLaunch {
  int blocks = 1, cluster = 1, threads = 1, shared_bytes = 0;
  bool dependent = false;
};

template <class... Parameters>
void launch_clusters(void (*kernel)(Parameters...), ClusterLaunch const& launch, Stream /*stream*/,
                     Parameters... parameters) {
  emulated::run({launch.blocks, launch.cluster, launch.threads, launch.shared_bytes, launch.dependent},
                [&] { kernel(parameters...); });
}

}  // namespace perfcheck
