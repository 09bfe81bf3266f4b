// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the worker to run.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/measuring/options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perfcheck::measuring {

struct WorkerChoice {
  std::vector<std::string> argv;
  std::string why;  ///< "an NVIDIA driver is loaded (/dev/nvidiactl)"
};

/// Splits a command into words like a shell: spaces separate words, quotes and backslashes keep them together. Throws
/// UsageError for an unclosed quote or an empty command; its message begins with `origin`.
std::vector<std::string> split_command(std::string const& command, std::string const& origin = "--worker");

/// The worker that [workers] names for a backend: the program as a path, then its arguments. A name without '/' is
/// looked up in `program_folder`, the folder of this program. Throws UsageError like split_command().
std::vector<std::string> configured_worker(config::Config const& config, std::string const& backend,
                                           std::filesystem::path const& program_folder);

/// The worker that the options ask for: --worker as given, else the one configured for the backend. `auto` means CUDA
/// if an NVIDIA driver is loaded, else the CPU. `root` stands for "/". Throws CommandError when the worker does not
/// exist; never falls back from CUDA to the CPU.
WorkerChoice choose_worker(Options const& options, config::Config const& config, std::filesystem::path const& root,
                           std::filesystem::path const& program_folder);

/// The folder of the running program.
std::filesystem::path program_folder();

}  // namespace perfcheck::measuring
