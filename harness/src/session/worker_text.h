// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text from a worker as part of a message: one line of limited length, line breaks become " | ".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfcheck::session {

inline constexpr std::size_t kWordBytes = 400;   ///< of a message or of last words
inline constexpr std::size_t kQuoteBytes = 160;  ///< of a line that could not be read, and of a name

/// The first `bytes` of the text, with "..." where it goes on.
std::string beginning(std::string_view text, std::size_t bytes = kWordBytes);

/// The last kWordBytes of the text, after "..." if there is more.
std::string ending(std::string_view text);

}  // namespace perfcheck::session
