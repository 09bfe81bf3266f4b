// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "text/markup.h"

#include "perfcheck/model/one_line.h"

#include <algorithm>
#include <cstdint>

namespace perfcheck::report {

std::string markup_escaped(std::string_view text) {
  std::string result;
  for (char const c : model::one_line(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

std::string shortened(std::string_view text, std::size_t characters) {
  if (character_count(text) <= characters) return std::string(text);
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end) {
    bool const begins = (static_cast<uint8_t>(text[end]) & 0xc0) != 0x80;
    if (begins && ++kept == characters) break;
  }
  return std::string(text.substr(0, end)) + "\xe2\x80\xa6";
}

}  // namespace perfcheck::report
