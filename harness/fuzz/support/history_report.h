// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `perfcheck report` does with a history.
#pragma once

#include <string>

namespace perfcheck::fuzz {

/// Builds the pages and pictures of every device, for nobody. A damaged history, and one whose texts cannot stand in a
/// page, end that in the documented ways.
void report_everything(std::string const& place);

}  // namespace perfcheck::fuzz
