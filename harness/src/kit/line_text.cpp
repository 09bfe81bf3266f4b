// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/line_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <stdexcept>

namespace perfcheck::kit {
namespace {

constexpr std::string_view kHot = ",hot";

/// An example of a valid text, with small round sizes.
std::string example_of(LineGrammar const& grammar) {
  LineText text;
  if (!grammar.elements.empty()) text.element = grammar.elements.front();
  for (LineSize const& size : grammar.sizes) text.sizes.push_back(std::min<std::int64_t>(size.most, 4096));
  return to_text(grammar, text);
}

[[noreturn]] void reject(LineGrammar const& grammar, std::string_view text, std::string const& what) {
  throw std::invalid_argument(fmt::format("'{}' is no {} problem: {}, as in {} or {}{}", text, grammar.operation, what,
                                          example_of(grammar), example_of(grammar), kHot));
}

Element take_element(LineGrammar const& grammar, std::string_view text, std::string_view& rest) {
  std::string names;
  for (Element const element : grammar.elements) {
    std::string const front = fmt::format("{},", perfcheck::to_text(element));
    if (rest.starts_with(front)) {
      rest.remove_prefix(front.size());
      return element;
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", perfcheck::to_text(element));
  }
  reject(grammar, text, fmt::format("it begins with one of the formats {} and a comma", names));
}

std::int64_t take_size(LineGrammar const& grammar, std::string_view text, std::string_view& rest,
                       LineSize const& size) {
  std::int64_t value = 0;
  bool good = rest.size() > 1 && rest.front() == size.letter && rest[1] != '0';
  if (good) {
    rest.remove_prefix(1);
    auto const [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    good = error == std::errc() && value >= 1 && value <= size.most;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  if (!good) {
    reject(grammar, text, fmt::format("it needs {} with the number of {}, 1 to {}", size.letter, size.name, size.most));
  }
  return value;
}

}  // namespace

std::string to_text(LineGrammar const& grammar, LineText const& text) {
  std::string all = text.element ? fmt::format("{},", perfcheck::to_text(*text.element)) : "";
  for (std::size_t i = 0; i < grammar.sizes.size(); ++i) {
    all += fmt::format("{}{}", grammar.sizes[i].letter, text.sizes[i]);
  }
  return text.hot ? all.append(kHot) : all;
}

LineText parse_line_text(LineGrammar const& grammar, std::string_view text) {
  LineText parsed;
  std::string_view rest = text;
  if (!grammar.elements.empty()) parsed.element = take_element(grammar, text, rest);
  for (LineSize const& size : grammar.sizes) parsed.sizes.push_back(take_size(grammar, text, rest, size));
  parsed.hot = rest == kHot;
  if (!rest.empty() && !parsed.hot) reject(grammar, text, fmt::format("only '{}' may follow the sizes", kHot));
  return parsed;
}

}  // namespace perfcheck::kit
