// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines of a page. Each is complete in itself, so that a page can end after any of them.
#pragma once

#include "ci/items.h"

#include <string>
#include <vector>

namespace perfcheck::report::ci {

/// A table: lines[0] to lines[1] are its head.
using Lines = std::vector<std::string>;

/// Columns: case, verdict, change, time, allowed change, noise, detectable change, trend; `brief` leaves out noise and
/// detectable change. A column in which none of the items has a figure is left out.
Lines attention_table(CheckResult const& result, std::vector<Item const*> const& items, bool brief);
/// Cases that need no look: the same without verdict and limit, but with TFLOP/s; `brief`: only case, time and change.
Lines rest_table(CheckResult const& result, std::vector<Item const*> const& items, bool brief);

/// A list of the reasons for the items' outcomes; a reason that several items share is given once.
Lines reason_lines(std::vector<Item const*> const& items);

/// "13 skipped: 8 architecture, 5 suite rule."; empty without skipped cases.
std::string skipped_line(std::vector<Item> const& items);

/// What was measured with and how long it took; commit, branch and subject. Neither ends its line; the second may be
/// empty.
std::string measured_line(CheckResult const& result);
std::string commit_line(CheckResult const& result);

}  // namespace perfcheck::report::ci
