// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The common options of every command, where its text goes and what may interrupt it.
#pragma once

#include "perfcheck/console/terminal.h"
#include "perfcheck/session/interrupt.h"

#include <string>
#include <vector>

namespace perfcheck {

enum class Output { text, json };

enum class Detail { quiet, normal, verbose };

/// One per process.
struct Context {
  Terminal& terminal;
  session::Interrupt const& interrupt;
  std::string config;  ///< --config; empty: look for perfcheck.toml
  Output output = Output::text;
  Detail detail = Detail::normal;
  ColorChoice color = ColorChoice::automatic;
  std::vector<std::string> arguments;  ///< the command line, without the program
};

}  // namespace perfcheck
