// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which worker to run.
#pragma once

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
/// Throws UsageError for an open quote or an empty command.
std::vector<std::string> split_command(std::string const& command);

/// The worker that the options ask for: --worker as given, else the one of the backend beside this program; `auto` is
/// CUDA where an NVIDIA driver is loaded, else the CPU. `root` stands for "/" and `program_folder` for this program's
/// folder. Throws CommandError when the worker is not there; never falls back from CUDA to the CPU.
WorkerChoice choose_worker(Options const& options, std::filesystem::path const& root,
                           std::filesystem::path const& program_folder);

/// The folder of the running program.
std::filesystem::path program_folder();

}  // namespace perfcheck::measuring
