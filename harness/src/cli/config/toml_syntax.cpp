// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "config/toml_syntax.h"

#include <algorithm>
#include <string>

namespace perfcheck::cli {
namespace {

/// Behind the string that begins at `at`, with three quotes or one; the end of the text where it is not closed. A
/// string of one quote ends with its line, too: what it should have been is the parser's to say.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  char const quote = text[at];
  bool const multi_line = text.substr(at, 3) == std::string(3, quote);
  std::string const closing(multi_line ? 3 : 1, quote);
  at += closing.size();
  while (at < text.size() && text.substr(at, closing.size()) != closing) {
    if (text[at] == '\n' && !multi_line) {
      return at;
    }
    at += text[at] == '\\' && quote == '"' ? 2 : 1;
  }
  return std::min(at + closing.size(), text.size());
}

}  // namespace

std::optional<int> line_of_bare_non_ascii(std::string_view text) {
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark
  while (at < text.size()) {
    char const c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace perfcheck::cli
