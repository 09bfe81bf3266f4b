// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace perfcheck::cli {

/// The line, from 1, of the first byte that is not ASCII, or quote, which stands neither in a string nor in a comment,
/// where TOML allows none. toml++ 3.3 must not see one: to find out whether U+00E9 is white space it reaches what it
/// calls unreachable.
std::optional<int> line_of_stray_character(std::string_view text);

/// The line, from 1, of the first key a.b.c with more than so many dots. Numbers of one line count as well. toml++ 3.3
/// bounds the nesting of values but not that of keys, and recurses over both: 200,000 parts overflow its stack.
std::optional<int> line_of_long_key(std::string_view text, int most_dots);

}  // namespace perfcheck::cli
