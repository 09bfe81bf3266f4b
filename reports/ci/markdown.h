// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The page that the step summary and the comment have in common: GitHub's Markdown.
#pragma once

#include "perfcheck/report/check_result.h"

#include <string>
#include <string_view>

namespace perfcheck::report::ci {

/// How much of a result a page shows.
struct PageShape {
  std::size_t bytes = 0;           ///< of the whole page, at most; characters are never more
  std::size_t attention_rows = 0;  ///< cases and kernels that need a look
  std::size_t reasons = 0;
  std::size_t commands = 0;    ///< that measure again
  bool brief = false;          ///< the rest with fewer columns, notes folded where everything passed
  std::string_view elsewhere;  ///< where what is left out is: "in the job's summary"
};

/// Verdict in words, where and what was measured, what needs a look and why, what to do next, then the rest, folded.
/// What does not fit is left out from the end of its section, and counted.
std::string markdown_page(CheckResult const& result, PageShape const& shape);

}  // namespace perfcheck::report::ci
