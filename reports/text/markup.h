// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text from outside inside HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::report {

/// model::one_line(), with entities for markup characters: safe in the content of an element and in an attribute
/// between double or single quotes.
std::string markup_escaped(std::string_view text);

/// The number of characters (code points) of valid UTF-8.
std::size_t character_count(std::string_view text);

/// At most this many characters of printable text; a longer text is cut and ends in an ellipsis.
std::string shortened(std::string_view text, std::size_t characters);

}  // namespace perfcheck::report
