// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Standard output and standard error: results go to the one, progress and messages to the other.
#pragma once

#include <cstdio>
#include <string>

namespace perfcheck::cli {

enum class ColorChoice { automatic, always, never };

class Terminal {
 public:
  Terminal(std::FILE* out, std::FILE* messages) : out_(out), messages_(messages) {}

  /// Writes a result. Throws store::IoError when it cannot be written: a full disk must not look like success.
  void print(std::string const& text);
  /// Writes lines for a person, each fit for a terminal, after wiping a status line.
  void message(std::string const& text);
  /// Replaces the status line; nothing where messages are not a terminal.
  void status(std::string const& line);
  void wipe_status();
  /// Do messages go to a terminal, so that a status line makes sense?
  bool interactive() const;
  /// Colour in results: as chosen, else only on a terminal and unless NO_COLOR is set (no-color.org).
  bool colored(ColorChoice choice) const;

 private:
  std::FILE* out_;
  std::FILE* messages_;
  std::size_t status_width_ = 0;
};

}  // namespace perfcheck::cli
