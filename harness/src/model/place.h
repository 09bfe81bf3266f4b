// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of places in a JSON value, for error messages. Always one line, whatever the input holds.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::model {

/// "sessions" + "id" -> "sessions.id"; keys that are not plain words are quoted: cases["a/b@f32"].
std::string member_place(std::string_view place, std::string_view key);
/// "sessions" + 3 -> "sessions[3]".
std::string element_place(std::string_view place, std::size_t index);
/// Throws FormatError "origin: place: problem"; an empty place means the value as a whole.
[[noreturn]] void throw_format_error(std::string_view origin, std::string_view place, std::string_view problem);

}  // namespace perfcheck::model
