// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// nlohmann-json's own parser keeps the last of two equal keys and accepts any nesting depth; this builder refuses both.
#include "perfcheck/model/json.h"
#include "place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace perfcheck::model {
namespace {

using nlohmann::json;

// Our deepest file has ten levels; code that walks a value may safely recurse this deep.
constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestReason = 120;

/// "12:5" of a byte in the text; columns count bytes from 1.
std::string line_and_column(std::string_view text, std::size_t byte) {
  std::string_view const before = text.substr(0, std::min(byte, text.size()));
  auto const line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t const newline = before.rfind('\n');
  std::size_t const column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return fmt::format("{}:{}", line, column);
}

/// The part of nlohmann-json's message that says what is wrong, in printable ASCII and of bounded length.
std::string reason_of(char const* what) {
  std::string_view reason = what;
  if (std::size_t const dash = reason.find(" - "); dash != std::string_view::npos) {
    reason.remove_prefix(dash + 3);
  } else if (std::size_t const bracket = reason.find("] "); bracket != std::string_view::npos) {
    reason.remove_prefix(bracket + 2);
  }
  std::string shown(reason.substr(0, kLongestReason));
  std::replace_if(shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown + (reason.size() > kLongestReason ? "..." : "");
}

class StrictBuilder final : public nlohmann::json_sax<json> {
 public:
  StrictBuilder(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, string_t const& /*digits*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(json::binary(std::move(value))); }

  bool start_object(std::size_t /*count*/) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*count*/) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = open_.back();
    if (level.node->contains(name)) {
      throw_format_error(origin_, member_place(place_of_open(), name), "the key appears twice; keep one of the two");
    }
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, std::string const& /*token*/, json::exception const& error) override {
    if (position > text_.size()) {
      throw FormatError(
          fmt::format("{}:{}: the text ends in the middle of a JSON value, so it was cut off; restore it "
                      "or write it again",
                      origin_, line_and_column(text_, text_.size())));
    }
    throw FormatError(fmt::format("{}:{}: not valid JSON: {}; mend it, restore it or write it again", origin_,
                                  line_and_column(text_, position == 0 ? 0 : position - 1), reason_of(error.what())));
  }

 private:
  /// An object or array that is still open. `node` stays valid, because a parent grows only after its child has closed.
  struct Level {
    json* node;
    std::string key;  ///< of the member that comes next or is open
  };

  json* place_value(json&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& level = open_.back();
    if (level.node->is_array()) {
      level.node->push_back(std::move(value));
      return &level.node->back();
    }
    return &((*level.node)[level.key] = std::move(value));
  }

  bool add(json&& value) {
    place_value(std::move(value));
    return true;
  }

  bool open(json&& value) {
    if (open_.size() == kDeepest) {
      throw_format_error(origin_, place_of_open(),
                         fmt::format("nested deeper than {} levels; this is no file of perfcheck's", kDeepest));
    }
    open_.push_back({.node = place_value(std::move(value)), .key = {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string place_of_open() const {
    std::string place;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      Level const& level = open_[i];
      place = level.node->is_array() ? element_place(place, level.node->size() - 1) : member_place(place, level.key);
    }
    return place;
  }

  std::string_view text_, origin_;
  json root_;
  std::vector<Level> open_;
};

}  // namespace

json parse_strict(std::string_view text, std::string_view origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw_format_error(origin, "", "is empty; restore it or write it again");
  }
  // nlohmann-json takes this byte for the end and says nothing about what follows.
  if (std::size_t const at = text.find('\0'); at != std::string_view::npos) {
    throw FormatError(fmt::format("{}:{}: not valid JSON: a byte of value 0; mend it, restore it or write it again",
                                  origin, line_and_column(text, at)));
  }
  StrictBuilder builder(text, origin);
  json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace perfcheck::model
