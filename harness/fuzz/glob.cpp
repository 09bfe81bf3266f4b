// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns over case ids: the first line is the pattern, the rest the id.
#include "perfcheck/gate/glob.h"

#include "support/property.h"

#include <optional>

using namespace perfcheck;

namespace {

/// The same question answered in another way, for patterns of '*', '?' and plain characters.
std::optional<bool> simple_match(std::string_view pattern, std::string_view text) {
  if (pattern.find_first_of("[]\\") != std::string_view::npos) {
    return std::nullopt;
  }
  if (pattern.find('\0') != std::string_view::npos || text.find('\0') != std::string_view::npos) {
    return false;
  }
  std::size_t at = 0, behind = 0;
  std::size_t star = std::string_view::npos, restart = 0;
  while (behind < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      restart = behind;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[behind])) {
      ++at;
      ++behind;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      behind = ++restart;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::string const pattern(fuzz::take_until(rest, "\n"));
  std::string const text(rest);
  bool const matches = gate::glob_matches(pattern, text);
  if (auto const expected = simple_match(pattern, text)) {
    fuzz::require(matches == *expected, "a pattern of '*' and '?' matches what it should");
  }
  fuzz::require(gate::glob_matches("*", text) == (text.find('\0') == std::string::npos), "* matches everything");
  fuzz::require(!matches || gate::glob_matches_case(pattern, text), "what matches the whole id matches the case");
  return 0;
}
