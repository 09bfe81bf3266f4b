// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/escape.h"

#include "perfcheck/model/one_line.h"
#include "text/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace perfcheck::report::ci {
namespace {

// A zero-width space. GitHub looks for mentions, links and emoji in rendered text, where character references are
// already resolved, so a real character has to break them.
constexpr char const* kBreak = "&#8203;";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string reference(char c) { return fmt::format("&#{};", static_cast<int>(c)); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Whether `word`, which is in lower case, stands right before position `at`; ignores the case of the text.
bool follows(std::string_view text, std::size_t at, std::string_view word) {
  return at >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at - word.size()),
                    [](char a, char b) { return a == lower(b); });
}

/// Whether a line that begins with this text would become a list or a heading.
bool begins_block(std::string_view text) {
  if (text.front() == '-' || text.front() == '+' || text.front() == '=') return true;
  std::size_t const end = std::min(text.find_first_not_of("0123456789"), text.size());
  bool const numbered = end > 0 && end < text.size() && (text[end] == '.' || text[end] == ')');
  return numbered && (end + 1 == text.size() || text[end + 1] == ' ');
}

/// The character at `at`, written so that it is plain text in any place.
std::string as_text(std::string_view text, std::size_t at) {
  constexpr std::string_view kMarkup = "&<>`*_[]#@|\\~$^";
  char const c = text[at];
  char const next = at + 1 < text.size() ? text[at + 1] : ' ';
  bool const structure = kMarkup.find(c) != std::string_view::npos || (at == 0 && begins_block(text));
  std::string result = structure ? reference(c) : std::string(1, c);
  bool const found_later = c == '@' || c == '#' || (c == ':' && next != ' ') ||
                           (c == '.' && follows(text, at, "www")) ||
                           (c == '-' && is_digit(next) && follows(text, at, "gh"));
  if (!found_later) return result;
  return c == '.' ? kBreak + result : result + kBreak;
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0, run = 0;
  for (char const c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string percent_escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (char const c : text) {
    result += special.find(c) == std::string_view::npos ? std::string(1, c)
                                                        : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

}  // namespace

std::string markdown_text(std::string_view text, std::size_t limit) {
  std::string const plain = shortened(model::one_line(text), limit);
  std::string_view const shown = trimmed(plain);
  std::string result;
  for (std::size_t i = 0; i < shown.size(); ++i) result += as_text(shown, i);
  return result;
}

std::string markdown_code(std::string_view text, std::size_t limit) {
  std::string const plain = shortened(model::one_line(text), limit);
  std::string_view const shown = trimmed(plain);
  if (shown.empty()) return "";
  std::string inside;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    bool const escaped = i > 0 && shown[i - 1] == '\\';
    inside += shown[i] != '|' ? std::string(1, shown[i]) : escaped ? "\xc2\xa6" : "\\|";
  }
  std::string const fence(longest_run(inside, '`') + 1, '`');
  bool const touches = inside.front() == '`' || inside.back() == '`';
  return touches ? fmt::format("{0} {1} {0}", fence, inside) : fmt::format("{0}{1}{0}", fence, inside);
}

std::string markdown_code_block(std::string_view language, std::string_view lines) {
  std::string const fence(std::max<std::size_t>(3, longest_run(lines, '`') + 1), '`');
  std::string result = fmt::format("{}{}\n", fence, language);
  while (!lines.empty()) {
    std::size_t const end = std::min(lines.find('\n'), lines.size());
    result += model::one_line(lines.substr(0, end)) + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return result + fence + "\n";
}

std::string link_target(std::string_view address) {
  if (!address.starts_with("https://") && !address.starts_with("http://")) return "";
  constexpr std::string_view kPlain = "-._~:/?#@!$&'*+,;=%";
  std::string result;
  for (char const c : address) {
    bool const plain = is_ascii(c) && (is_letter(c) || is_digit(c) || kPlain.find(c) != std::string_view::npos);
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string command_data(std::string_view text) { return percent_escaped(model::one_line(text), "%\r\n"); }

std::string command_property(std::string_view text) { return percent_escaped(model::one_line(text), "%\r\n:,"); }

std::string csv_cell(std::string_view text) {
  std::string cell = model::one_line(text);
  // A spreadsheet hides the apostrophe and takes the cell as text; white space before a sign would not stop a formula.
  std::size_t const first = cell.find_first_not_of(' ');
  if (first != std::string::npos && std::string_view("=+-@").find(cell[first]) != std::string_view::npos) {
    cell.insert(0, "'");
  }
  bool const quoted = cell.find_first_of("\",") != std::string::npos || cell.find("::") != std::string::npos ||
                      cell.starts_with('#') || cell.starts_with(' ') || cell.ends_with(' ');
  if (!quoted) return cell;
  std::string result = "\"";
  for (char const c : cell) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string openmetrics_label(std::string_view text) {
  std::string result;
  for (char const c : model::one_line(text)) {
    if (c == '\\' || c == '"') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace perfcheck::report::ci
