// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How a command talks to a person: results go to the one place, progress and messages to the other. What measures and
// decides knows this interface; the program has the terminal.
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
  /// Replaces the status line; nothing where messages are not a terminal.
  virtual void status(std::string const& line) = 0;
  virtual void wipe_status() = 0;
  /// Do messages go to a terminal, so that a status line makes sense?
  virtual bool interactive() const = 0;
  /// Colour in results: as chosen, else only on a terminal and unless NO_COLOR is set (no-color.org).
  virtual bool colored(ColorChoice choice) const = 0;
};

}  // namespace perfcheck
