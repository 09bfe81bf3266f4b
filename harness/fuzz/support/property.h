// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What every fuzz target says about its reader. A property that does not hold ends the program, which is what a fuzzer
// takes for a finding; so does an exception of a type that the reader does not document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace perfcheck::fuzz {

/// Ends the program with `property` on standard error, unless it holds.
void require(bool holds, std::string_view property);

/// One line without control characters, whatever the input held.
void require_message(std::string_view message);

/// The input of a target as text.
inline std::string_view text_of(std::uint8_t const* data, std::size_t size) {
  return {reinterpret_cast<char const*>(data), size};
}

/// The next part of `rest`, up to and without `end`, which is removed as well; all of it where there is no `end`.
std::string_view take_until(std::string_view& rest, std::string_view end);

/// What `read` returns, or nothing where it refuses its input with an `Error`, whose message is looked at.
template <typename Error, typename Read>
std::optional<std::invoke_result_t<Read>> accepted(Read read) {
  try {
    return read();
  } catch (Error const& error) {
    require_message(error.what());
    return std::nullopt;
  }
}

}  // namespace perfcheck::fuzz
