// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How a command talks to its user: results go to one stream, progress and messages to another. The code that measures
// and decides knows only this interface; the program implements it.
#pragma once

#include <string>

namespace perfcheck {

enum class ColorChoice { automatic, always, never };

class Terminal {
 public:
  virtual ~Terminal() = default;

  /// Writes a result. Throws store::IoError when it cannot be written: a full disk must not look like success.
  virtual void print(std::string const& text) = 0;
  /// Writes lines for a person, each fit for a terminal, after wiping a status line.
  virtual void message(std::string const& text) = 0;
  /// Replaces the status line; does nothing if messages do not go to a terminal.
  virtual void status(std::string const& line) = 0;
  virtual void wipe_status() = 0;
  /// Do messages go to a terminal, so that a status line makes sense?
  virtual bool interactive() const = 0;
  /// Whether results have colour: as chosen, else only on a terminal and unless NO_COLOR is set (no-color.org).
  virtual bool colored(ColorChoice choice) const = 0;
};

}  // namespace perfcheck
