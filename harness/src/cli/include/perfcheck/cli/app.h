// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The perfcheck program.
#pragma once

namespace perfcheck::cli {

/// Reads the command line, runs the command, reports errors as one line on standard error, returns the exit code.
int run(int argc, char** argv);

}  // namespace perfcheck::cli
