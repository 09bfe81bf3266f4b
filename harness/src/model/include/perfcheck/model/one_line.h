// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes outside text safe to put into a message, which must stay on one line.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::model {

/// Makes a text fit for one line of a terminal, a log or an XML document. The result is valid UTF-8: each byte that
/// belongs to no character becomes U+FFFD. Tabs and line ends become spaces; other control characters, and those that
/// change the direction of text, are dropped.
std::string one_line(std::string_view text);

/// In quotes, escaped to printable ASCII and shortened.
std::string in_quotes(std::string_view text);

}  // namespace perfcheck::model
