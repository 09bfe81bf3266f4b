// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that measure again what failed.
#pragma once

#include "perfcheck/report/check_result.h"

#include <string>
#include <vector>

namespace perfcheck::results {

/// Text as one word of a shell command: quoted when it needs to be.
std::string shell_quoted(std::string const& text);

/// How to measure again what failed.
struct MeasureAgain {
  std::string command;                ///< how the command line begins; empty: nothing can measure it again
  std::vector<std::string> injected;  ///< PATTERN=PERCENT of the run, for the cases that they match
};

/// One command for each kernel that has failed cases: by the case's name if there is only one, else with all cases of
/// the kernel.
std::vector<report::Repro> repros_of(std::vector<report::CaseRow> const& rows, MeasureAgain const& again);

/// Text for a person, ending with a newline; empty if there are none.
std::string text_of(std::vector<report::Repro> const& repros);

}  // namespace perfcheck::results
