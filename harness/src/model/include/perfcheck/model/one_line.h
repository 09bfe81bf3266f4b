// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text from outside as part of a message, which is one line whatever the text holds.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::model {

/// Fit for one line of a terminal, a log or an XML document: valid UTF-8, where each byte that belongs to no character
/// becomes U+FFFD. Tabs and ends of lines become spaces; other control characters, and those that set the direction of
/// text, are dropped.
std::string one_line(std::string_view text);

/// In quotes, escaped to printable ASCII and shortened.
std::string in_quotes(std::string_view text);

}  // namespace perfcheck::model
