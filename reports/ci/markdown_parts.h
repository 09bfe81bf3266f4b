// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines of a page, each complete in itself, so that a page can end after any of them.
#pragma once

#include "ci/items.h"

#include <string>
#include <vector>

namespace perfcheck::report::ci {

/// A table: lines[0] to lines[1] are its head.
using Lines = std::vector<std::string>;

/// Case, verdict, change, time, what is allowed, noise, what would have been seen, trend; `brief`: without noise and
/// what would have been seen. A column in which none of the items has a figure is left out.
Lines attention_table(CheckResult const& result, std::vector<Item const*> const& items, bool brief);
/// Cases that need no look: the same without verdict and limit, with TFLOP/s; `brief`: case, time and change.
Lines rest_table(CheckResult const& result, std::vector<Item const*> const& items, bool brief);

/// Why items are what they are, a list; what many share is said once.
Lines reason_lines(std::vector<Item const*> const& items);

/// "13 skipped: 8 architecture, 5 suite rule."; empty without skipped cases.
std::string skipped_line(std::vector<Item> const& items);

/// With what and how long; commit, branch and subject. Without an end of line; the second may be empty.
std::string measured_line(CheckResult const& result);
std::string commit_line(CheckResult const& result);

}  // namespace perfcheck::report::ci
