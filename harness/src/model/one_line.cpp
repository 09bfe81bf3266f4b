// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/one_line.h"

#include "perfcheck/model/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace perfcheck::model {
namespace {

constexpr std::size_t kLongestQuote = 100;

/// Control characters of ASCII and Latin-1, those that set the direction of text (with them a name could be displayed
/// in another order), and the two noncharacters that XML forbids.
bool is_dropped(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    Utf8Character const first = first_character(text);
    std::size_t const length = std::max<std::size_t>(first.length, 1);
    if (first.length == 0) {
      result += kReplacement;
    } else if (first.code == '\t' || first.code == '\n' || first.code == '\r') {
      result += ' ';
    } else if (!is_dropped(first.code)) {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  bool const shorten = text.size() > kLongestQuote;
  nlohmann::json const shown = std::string(text.substr(0, kLongestQuote)) + (shorten ? "..." : "");
  return shown.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace perfcheck::model
