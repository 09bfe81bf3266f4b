// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Standard output and standard error, or what stands in for them.
#pragma once

#include "perfcheck/console/terminal.h"

#include <cstdio>
#include <string>

namespace perfcheck::cli {

class StreamTerminal final : public Terminal {
 public:
  StreamTerminal(std::FILE* out, std::FILE* messages) : out_(out), messages_(messages) {}

  void print(std::string const& text) override;
  void message(std::string const& text) override;
  void status(std::string const& line) override;
  void wipe_status() override;
  bool interactive() const override;
  bool colored(ColorChoice choice) const override;

 private:
  std::FILE* out_;
  std::FILE* messages_;
  std::size_t status_width_ = 0;
};

}  // namespace perfcheck::cli
