// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker side of the protocol: a process that holds kernels.
#pragma once

#include "perfcheck/worker/operations.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perfcheck::worker {

/// A kernel set the build left out, so that it is listed and not silently absent.
struct OmittedSet {
  std::string set, reason;
};

/// Hashes of what the compiler made of a CPU kernel's file; empty where there is nothing to hash. The build reads them
/// from the object, before it becomes a part of the program (docs/file-formats.md).
struct KernelObject {
  std::string file;  ///< KernelInfo::file
  std::string machine_code, called_code, constants;
};

/// Everything that differs between two workers.
struct WorkerSetup {
  std::string name;     ///< program name, "perfcheck-gemm"
  std::string backend;  ///< "cuda" or "cpu"
  std::function<std::unique_ptr<device::Backend>(int index)> make_backend;
  Operations operations;  ///< at least one; problems of the first need no name in front
  model::BuildInfo build;
  std::vector<OmittedSet> omitted;
  /// Kernel files that were compiled into the program; one that registers nothing is an error at start.
  std::vector<std::string> kernel_sources;
  std::vector<KernelObject> kernel_objects;
};

/// Speaks the protocol on standard input and output until bye or end of input. With a terminal on standard input, or
/// with --help or --version, explains itself instead. Returns the exit code.
int worker_main(int argc, char** argv, WorkerSetup setup);

/// The kernel objects of the worker that this program is; the build generates this function, for workers of the CPU.
std::vector<KernelObject> kernel_objects();

}  // namespace perfcheck::worker
