// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What perfcheck said about an edited file.
#pragma once

#include "program.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

struct Answer {
  int code = -1;
  std::string said;                    ///< for the table: verdicts and reason codes of the edited cases, or the error
  std::string words;                   ///< notes and messages about the run as a whole
  std::optional<double> at_most = {};  ///< smallest `at_most` among the edited cases that pass
  std::vector<std::string> accused;    ///< unedited cases that it calls regressed or improved
  std::vector<std::string> unbounded;  ///< cases that pass without an `at_most`
};

/// What [renamed] makes of the id, or pattern, of a case or a kernel in a recording.
std::string todays_id(std::string const& id);

/// The answer of a command that decides (with --json). `edited` matches the edited cases; `folder` is where it ran.
Answer answer_of(cli::testing::Finished const& finished, std::string const& edited, std::string const& folder);

/// The answer of any other command: its error, or the text `success`.
Answer plain_answer(cli::testing::Finished const& finished, std::string const& success, std::string const& folder);

/// `second`, with the answer of a command that succeeded before it, `first`, put in front.
Answer after(std::string const& first, Answer second);

}  // namespace perfcheck::adversarial
