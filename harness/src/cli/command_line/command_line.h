// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line: commands with their options, and help.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/model/status.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace perfcheck::cli {

/// A command that was added: where its arguments are declared, and the options that they fill.
template <typename Options>
struct Added {
  CLI::App* app;
  Options& options;
};

class CommandLine {
 public:
  CommandLine();

  /// Adds a command that has subcommands.
  CLI::App& add_group(char const* name, char const* description);
  /// Adds a command, with the arguments that all commands have. If the user chooses it, `run` gets its options, which
  /// live as long as this object.
  template <typename Options>
  Added<Options> add(CLI::App& parent, char const* name, char const* description,
                     model::ExitCode (*run)(Options const&, Context&)) {
    auto const options = std::make_shared<Options>();
    return {declare(parent, name, description, [options, run](Context& context) { return run(*options, context); }),
            *options};
  }
  template <typename Options>
  Added<Options> add(char const* name, char const* description, model::ExitCode (*run)(Options const&, Context&)) {
    return add(app_, name, description, run);
  }

  /// Reads the arguments. Returns a text to print instead of running a command: help or the version. Throws UsageError
  /// naming the argument and the nearest valid one.
  std::optional<std::string> parse(int argc, char** argv);
  /// Runs the command that was chosen.
  model::ExitCode execute(Terminal& terminal, session::Interrupt const& interrupt) const;

 private:
  using Run = std::function<model::ExitCode(Context&)>;

  CLI::App* declare(CLI::App& parent, char const* name, char const* description, Run run);
  /// The subcommand that was being parsed.
  CLI::App* deepest();
  /// What an unknown word was probably meant to be.
  std::string hint(CLI::ParseError const& error);

  CLI::App app_;
  Run chosen_;
  std::string config_;
  Output output_ = Output::text;
  Detail detail_ = Detail::normal;
  ColorChoice color_ = ColorChoice::automatic;
  std::vector<std::string> arguments_;
};

}  // namespace perfcheck::cli
