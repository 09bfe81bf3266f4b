// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perfcheck::model {

/// Stands for bytes that belong to no character: U+FFFD.
inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// A character at the beginning of a text.
struct Utf8Character {
  uint32_t code = 0;
  std::size_t length = 0;  ///< bytes; 0: no character begins here
};

/// Well-formed UTF-8 only (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. The text
/// must not be empty.
Utf8Character first_character(std::string_view text);

}  // namespace perfcheck::model
