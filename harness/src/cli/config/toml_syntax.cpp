// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "config/toml_syntax.h"

#include <algorithm>
#include <string>

namespace perfcheck::cli {
namespace {

/// Where the text goes on behind a backslash, if that ends its line.
std::optional<std::size_t> behind_line_end(std::string_view text, std::size_t backslash) {
  std::size_t const next = std::min(text.find_first_not_of(" \t\r\n", backslash + 1), text.size());
  bool const ends_line = text.substr(backslash, next - backslash).find('\n') != std::string_view::npos;
  return ends_line ? std::optional(next) : std::nullopt;
}

/// Behind the string that begins at `at`, with three quotes or one; the end of the text where it is not closed. A
/// string of one quote ends with its line, too: what it should have been is the parser's to say. For the parser, a byte
/// above ASCII behind a backslash that ends a line is as outside of the string: that is where it is said to end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  char const quote = text[at];
  bool const multi_line = text.substr(at, 3) == std::string(3, quote);
  std::string const closing(multi_line ? 3 : 1, quote);
  at += closing.size();
  while (at < text.size() && text.substr(at, closing.size()) != closing) {
    if (text[at] == '\n' && !multi_line) {
      return at;
    }
    bool const escape = text[at] == '\\' && quote == '"';
    std::optional<std::size_t> const next = escape && multi_line ? behind_line_end(text, at) : std::nullopt;
    if (next && *next < text.size() && static_cast<unsigned char>(text[*next]) >= 0x80) {
      return *next;
    }
    at = next ? *next : at + (escape ? 2 : 1);
  }
  return std::min(at + closing.size(), text.size());
}

/// Can a string begin at `at`? One that stands close behind something else is none to the parser: 4"""x. A dot stands
/// before a part of a key: suites."a b".cpu.
bool may_begin_string(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " \t\r\n=[,{.";
  return at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
}

/// Where the first byte at or behind `at` is that stands neither in a string nor in a comment; the end of the text
/// where there is none.
std::size_t next_bare(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    char const c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if ((c == '"' || c == '\'') && may_begin_string(text, at)) {
      at = end_of_string(text, at);
    } else {
      return at;
    }
  }
  return text.size();
}

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

std::optional<int> line_of_bare_non_ascii(std::string_view text) {
  std::size_t const begin = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark
  for (std::size_t at = next_bare(text, begin); at < text.size(); at = next_bare(text, at + 1)) {
    if (static_cast<unsigned char>(text[at]) >= 0x80) {
      return line_at(text, at);
    }
  }
  return std::nullopt;
}

std::optional<int> line_of_long_key(std::string_view text, int most_dots) {
  int dots = 0;
  for (std::size_t at = next_bare(text, 0); at < text.size(); at = next_bare(text, at + 1)) {
    dots = text[at] == '\n' ? 0 : dots + (text[at] == '.' ? 1 : 0);
    if (dots > most_dots) {
      return line_at(text, at);
    }
  }
  return std::nullopt;
}

}  // namespace perfcheck::cli
