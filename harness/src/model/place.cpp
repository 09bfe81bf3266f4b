// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "place.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::model {
namespace {

constexpr std::size_t kLongestWord = 100;

bool is_plain_word(std::string_view key) {
  return !key.empty() && key.size() <= kLongestWord && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

std::string member_place(std::string_view place, std::string_view key) {
  if (!is_plain_word(key)) {
    return fmt::format("{}[{}]", place, in_quotes(key));
  }
  return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
}

std::string element_place(std::string_view place, std::size_t index) { return fmt::format("{}[{}]", place, index); }

void throw_format_error(std::string_view origin, std::string_view place, std::string_view problem) {
  throw FormatError(place.empty() ? fmt::format("{}: {}", origin, problem)
                                  : fmt::format("{}: {}: {}", origin, place, problem));
}

}  // namespace perfcheck::model
