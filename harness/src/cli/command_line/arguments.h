// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line.
#pragma once

#include "commands/commands.h"

#include <functional>
#include <optional>
#include <string>

namespace perfcheck::cli {

struct Arguments {
  Options options;
  std::function<model::ExitCode(Options const&, Context&)> command;
};

/// Text to print instead of running a command: help or version.
struct Explanation {
  std::string text;
};

/// Throws UsageError naming the argument and the nearest valid one.
Arguments parse_arguments(int argc, char** argv, std::optional<Explanation>& explanation);

}  // namespace perfcheck::cli
