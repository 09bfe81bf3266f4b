// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker side of the protocol: a process that holds kernels.
#pragma once

#include "perfcheck/worker/operation.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perfcheck::worker {

/// A kernel set the build left out, so that it is listed and not silently absent.
struct OmittedSet {
  std::string set, reason;
};

/// Everything that differs between two workers.
struct WorkerSetup {
  std::string name;     ///< program name, "perfcheck-gemm"
  std::string backend;  ///< "cuda" or "cpu"
  std::function<std::unique_ptr<device::Backend>(int index)> make_backend;
  std::unique_ptr<Operation> operation;
  model::BuildInfo build;
  std::vector<OmittedSet> omitted;
  /// Kernel files that were compiled into the program; one that registers nothing is an error at start.
  std::vector<std::string> kernel_sources;
};

/// Speaks the protocol on standard input and output until bye or end of input. With a terminal on standard input, or
/// with --help or --version, explains itself instead. Returns the exit code.
int worker_main(int argc, char** argv, WorkerSetup setup);

}  // namespace perfcheck::worker
