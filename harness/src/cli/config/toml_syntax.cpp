// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "config/toml_syntax.h"

#include <algorithm>
#include <string>

namespace perfcheck::cli {
namespace {

/// What the parser looks at behind a backslash in a string of several lines: blanks and ends of lines do not count.
std::size_t behind_backslash(std::string_view text, std::size_t backslash) {
  return std::min(text.find_first_not_of(" \t\r\n\v\f", backslash + 1), text.size());
}

/// Behind the string that begins at `at`, with three quotes or one; the end of the text where it is not closed. A
/// string of one quote ends with its line, too: what it should have been is the parser's to say. What is not ASCII
/// behind a backslash is taken for outside of the string, as the parser does not expect it there either.
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
    std::size_t const next = escape && multi_line ? behind_backslash(text, at) : text.size();
    if (next < text.size() && static_cast<unsigned char>(text[next]) >= 0x80) {
      return next;
    }
    at += escape ? 2 : 1;
  }
  // One of three quotes may have one or two more of them at its end.
  at = std::min(at + closing.size(), text.size());
  for (int more = 0; multi_line && more < 2 && at < text.size() && text[at] == quote; ++more) {
    ++at;
  }
  return at;
}

/// Can a string begin at `at`? Behind a blank, a bracket, an equals sign or a comma; and behind a dot in a key, as in
/// suites."a b".cpu, but not in a value: there the parser reads on to its end as if nothing were quoted.
bool may_begin_string(std::string_view text, std::size_t at) {
  if (at == 0) {
    return true;
  }
  if (text[at - 1] == '.') {
    std::size_t const line = text.rfind('\n', at) + 1;  // 0 behind npos
    return text.substr(line, at - line).find('=') == std::string_view::npos;
  }
  return std::string_view(" \t\r\n=[,{").find(text[at - 1]) != std::string_view::npos;
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

std::optional<int> line_of_stray_character(std::string_view text) {
  std::size_t const begin = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark
  for (std::size_t at = next_bare(text, begin); at < text.size(); at = next_bare(text, at + 1)) {
    if (static_cast<unsigned char>(text[at]) >= 0x80 || text[at] == '"' || text[at] == '\'') {
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
