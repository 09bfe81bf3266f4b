// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The page that the step summary and the comment share, in GitHub's Markdown.
#pragma once

#include "perfcheck/report/check_result.h"

#include <string>
#include <string_view>

namespace perfcheck::report::ci {

/// How much of a result a page shows.
struct PageShape {
  std::size_t bytes = 0;           ///< limit of the whole page; it never has more characters
  std::size_t attention_rows = 0;  ///< limit of cases and kernels that need a look
  std::size_t reasons = 0;
  std::size_t commands = 0;    ///< limit of commands that measure again
  bool brief = false;          ///< fewer columns for the rest, folded notes where everything passed
  std::string_view elsewhere;  ///< where to find what is left out: "in the job's summary"
};

/// Verdict in words, where and what was measured, what needs a look and why, what to do next, then the rest, folded.
/// Where a section does not fit, its last lines are left out and their number is given.
std::string markdown_page(CheckResult const& result, PageShape const& shape);

}  // namespace perfcheck::report::ci
