// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which worker to run.
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

/// Splits a command into words like a shell: spaces separate, quotes and backslashes keep together.
/// Throws UsageError for an open quote or an empty command, which `origin` says to be from.
std::vector<std::string> split_command(std::string const& command, std::string const& origin = "--worker");

/// What [workers] says of a backend: the program as a path, then its arguments. A name without '/' lies in
/// `program_folder`, the folder of this program. Throws UsageError as split_command() does.
std::vector<std::string> configured_worker(config::Config const& config, std::string const& backend,
                                           std::filesystem::path const& program_folder);

/// The worker that the options ask for: --worker as given, else the configured one of the backend; `auto` is CUDA where
/// an NVIDIA driver is loaded, else the CPU. `root` stands for "/". Throws CommandError when the worker is not there;
/// never falls back from CUDA to the CPU.
WorkerChoice choose_worker(Options const& options, config::Config const& config, std::filesystem::path const& root,
                           std::filesystem::path const& program_folder);

/// The folder of the running program.
std::filesystem::path program_folder();

}  // namespace perfcheck::measuring
