// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands. Each stands in a file of its own with its options, its help and what it does; errors are exceptions
// that app.cpp turns into one line and an exit code.
#pragma once

#include "command_line/command_line.h"

namespace perfcheck::cli {

/// Adds all commands, in the order of the help.
void add_commands(CommandLine& line);

}  // namespace perfcheck::cli
