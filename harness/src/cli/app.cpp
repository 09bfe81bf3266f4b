// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/cli/app.h"

#include "command_line/command_line.h"
#include "command_line/stream_terminal.h"
#include "commands/commands.h"
#include "perfcheck/config/config.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/history/history.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/model/renames.h"
#include "perfcheck/session/orphans.h"
#include "perfcheck/session/worker_client.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <system_error>

namespace perfcheck::cli {
namespace {

using model::ExitCode;

ExitCode run_command(int argc, char** argv, Terminal& terminal) {
  CommandLine line;
  add_commands(line);
  if (std::optional<std::string> const text = line.parse(argc, argv)) {
    terminal.print(*text);
    return ExitCode::ok;
  }
  session::OrphanKeeper const orphans;
  session::Interrupt const interrupt;
  return line.execute(terminal, interrupt);
}

/// Prints the message as one line, whatever it contains.
ExitCode failed(Terminal& terminal, ExitCode code, std::string message) {
  while (!message.empty() && message.back() == '\n') {
    message.pop_back();
  }
  terminal.message("perfcheck: " + model::one_line(message));
  return code;
}

}  // namespace

int run(int argc, char** argv) {
  StreamTerminal terminal(stdout, stderr);
  auto const code = [&]() -> ExitCode {
    try {
      return run_command(argc, argv, terminal);
    } catch (UsageError const& error) {
      return failed(terminal, ExitCode::usage, error.what());
    } catch (config::ConfigError const& error) {
      return failed(terminal, ExitCode::usage, error.what());
    } catch (model::RenameError const& error) {
      return failed(terminal, ExitCode::usage, error.what());
    } catch (CommandError const& error) {
      return failed(terminal, error.code(), error.what());
    } catch (store::IoError const& error) {
      return failed(terminal, ExitCode::io_error, error.what());
    } catch (history::HistoryError const& error) {
      return failed(terminal, ExitCode::io_error, error.what());
    } catch (model::FormatError const& error) {
      return failed(terminal, ExitCode::io_error, error.what());
    } catch (session::WorkerRefused const& error) {
      return failed(terminal, ExitCode::broken,
                    fmt::format("the worker cannot serve ({}): {}", error.code(), error.what()));
    } catch (session::WorkerLost const& error) {
      return failed(terminal, ExitCode::broken, error.what());
    } catch (session::Interrupted const& interrupted) {
      return failed(terminal, ExitCode::interrupted,
                    fmt::format("interrupted by signal {}; no file was changed", interrupted.signal));
    } catch (std::exception const& error) {
      return failed(terminal, ExitCode::broken, error.what());
    }
  }();
  return static_cast<int>(code);
}

}  // namespace perfcheck::cli
