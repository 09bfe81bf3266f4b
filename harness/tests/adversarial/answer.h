// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program said to an edited file.
#pragma once

#include "program.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

struct Answer {
  int code = -1;
  std::string said;   ///< for the table: verdicts and reason codes of the cases that were edited, or the error
  std::string words;  ///< everything it said about the run as a whole: notes and messages
  std::optional<double> at_most = {};  ///< the least that a pass of an edited case excludes
  std::vector<std::string> accused;    ///< cases that nobody edited, and that it calls regressed or improved
  std::vector<std::string> unbounded;  ///< passes that do not say what they exclude
};

/// Of a command that decides (with --json); `edited` matches the cases that were edited, `folder` is where it ran.
Answer answer_of(cli::testing::Finished const& finished, std::string const& edited, std::string const& folder);

/// Of any other command: its error, or what is given for success.
Answer plain_answer(cli::testing::Finished const& finished, std::string const& success, std::string const& folder);

/// The second of two commands, where the first one went through.
Answer after(std::string const& first, Answer second);

}  // namespace perfcheck::adversarial
