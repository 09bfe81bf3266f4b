// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors that end a command with an exit code of their own.
#pragma once

#include "perfcheck/model/status.h"

#include <stdexcept>
#include <string>

namespace perfcheck {

/// The command line asks for something impossible; what() is one line with the remedy. Exit code 64.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command cannot go on; what() is one line. Exit code as given.
class CommandError : public std::runtime_error {
 public:
  CommandError(model::ExitCode code, std::string const& what) : std::runtime_error(what), code_(code) {}
  model::ExitCode code() const { return code_; }

 private:
  model::ExitCode code_;
};

}  // namespace perfcheck
