// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/object_reader.h"

#include "perfcheck/model/nearest.h"
#include "perfcheck/model/one_line.h"
#include "place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <cmath>

namespace perfcheck::model {
namespace {

using nlohmann::json;

std::string kind_of(json const& value) {
  switch (value.type()) {
    case json::value_t::null: return "null";
    case json::value_t::object: return "an object";
    case json::value_t::array: return "an array";
    case json::value_t::string: return "the text " + in_quotes(value.get_ref<std::string const&>());
    case json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    case json::value_t::number_integer:
    case json::value_t::number_unsigned: return "the number " + value.dump();
    case json::value_t::number_float: return fmt::format("the number {}", value.get<double>());
    case json::value_t::binary: return "binary data";
    case json::value_t::discarded: break;
  }
  return "not a value";
}

std::string must_be(std::string_view wanted, json const& found) {
  return fmt::format("must be {}, but is {}", wanted, kind_of(found));
}

std::string text_at(json const& value, std::string const& origin, std::string const& place) {
  if (!value.is_string()) {
    throw_format_error(origin, place, must_be("text in quotes", value));
  }
  return value.get<std::string>();
}

}  // namespace

ObjectReader::ObjectReader(json const& object, std::string_view origin, std::string_view place)
    : object_(object), origin_(origin), place_(place) {
  if (!object.is_object()) {
    throw_format_error(origin, place, must_be("an object", object));
  }
}

std::string ObjectReader::place_of(std::string_view key) const { return member_place(place_, key); }

std::string ObjectReader::place_of(std::string_view key, std::size_t index) const {
  return element_place(place_of(key), index);
}

void ObjectReader::fail(std::string_view key, std::string_view problem) const {
  throw_format_error(origin_, place_of(key), problem);
}

bool ObjectReader::has(char const* key) const {
  known_.insert(key);
  return object_.contains(key);
}

json const& ObjectReader::take(char const* key) {
  if (!has(key)) {
    // A mistyped key is both missing and unknown; saying so here saves a second attempt.
    std::vector<std::string> unread;
    for (auto const& item : object_.items()) {
      if (!read_.contains(item.key())) {
        unread.push_back(item.key());
      }
    }
    std::optional<std::string> const nearest = nearest_name(key, unread);
    fail(key, nearest ? fmt::format("is missing; add it (is {} a typing error?)", in_quotes(*nearest))
                      : std::string("is missing; add it"));
  }
  read_.insert(key);
  return object_.at(key);
}

std::string ObjectReader::text(char const* key) { return text_at(take(key), origin_, place_of(key)); }

std::string ObjectReader::nonempty_text(char const* key) {
  std::string value = text(key);
  if (value.empty()) {
    fail(key, "must not be empty; fill it in");
  }
  return value;
}

std::string ObjectReader::text_or(char const* key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

std::string ObjectReader::choice(char const* key, std::vector<std::string> const& valid) {
  std::string value = text(key);
  if (std::find(valid.begin(), valid.end(), value) == valid.end()) {
    std::optional<std::string> const nearest = nearest_name(value, valid);
    fail(key, fmt::format("is {}; {}valid are {}", in_quotes(value),
                          nearest ? fmt::format("did you mean \"{}\"? ", *nearest) : "", fmt::join(valid, ", ")));
  }
  return value;
}

bool ObjectReader::boolean(char const* key) {
  json const& value = take(key);
  if (!value.is_boolean()) {
    fail(key, must_be("true or false", value));
  }
  return value.get<bool>();
}

int64_t ObjectReader::integer(char const* key, int64_t minimum, int64_t maximum) {
  json const& value = take(key);
  bool const fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  if (!fits || value.get<int64_t>() < minimum || value.get<int64_t>() > maximum) {
    fail(key, must_be(fmt::format("a whole number from {} to {}", minimum, maximum), value));
  }
  return value.get<int64_t>();
}

int ObjectReader::small_integer(char const* key, int minimum) {
  return static_cast<int>(integer(key, minimum, INT_MAX));
}

int ObjectReader::small_integer_or(char const* key, int fallback, int minimum) {
  return has(key) ? small_integer(key, minimum) : fallback;
}

uint64_t ObjectReader::unsigned_integer(char const* key) {
  json const& value = take(key);
  bool const negative = value.is_number_integer() && !value.is_number_unsigned() && value.get<int64_t>() < 0;
  if (!value.is_number_integer() || negative) {
    fail(key, must_be(fmt::format("a whole number from 0 to {}", UINT64_MAX), value));
  }
  return value.get<uint64_t>();
}

double ObjectReader::finite(json const& value, std::string const& place) const {
  // A value that did not come from text can hold NaN, which no comparison below would notice.
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    throw_format_error(origin_, place, must_be("a finite number", value));
  }
  return value.get<double>();
}

double ObjectReader::positive(json const& value, std::string const& place) const {
  if (!(finite(value, place) > 0)) {
    throw_format_error(origin_, place, must_be("a number greater than 0", value));
  }
  return value.get<double>();
}

double ObjectReader::number(char const* key, double minimum) {
  json const& value = take(key);
  if (!(finite(value, place_of(key)) >= minimum)) {
    fail(key, must_be(fmt::format("a number of at least {}", minimum), value));
  }
  return value.get<double>();
}

double ObjectReader::number_or(char const* key, double fallback, double minimum) {
  return has(key) ? number(key, minimum) : fallback;
}

double ObjectReader::positive(char const* key) { return positive(take(key), place_of(key)); }

std::optional<double> ObjectReader::optional_number(char const* key, double minimum) {
  return has(key) ? std::optional<double>(number(key, minimum)) : std::nullopt;
}

std::vector<std::string> ObjectReader::texts(char const* key) {
  std::vector<std::string> values;
  for (json const& value : array(key)) {
    values.push_back(text_at(value, origin_, place_of(key, values.size())));
  }
  return values;
}

std::vector<std::string> ObjectReader::texts_or_none(char const* key) {
  return has(key) ? texts(key) : std::vector<std::string>();
}

std::vector<double> ObjectReader::positives(char const* key) {
  json const& source = array(key);
  std::vector<double> values;
  values.reserve(source.size());
  for (json const& value : source) {
    // The place is built for failures only: columns are long.
    if (!value.is_number() || !std::isfinite(value.get<double>()) || !(value.get<double>() > 0)) {
      throw_format_error(origin_, place_of(key, values.size()), must_be("a finite number greater than 0", value));
    }
    values.push_back(value.get<double>());
  }
  return values;
}

std::map<std::string, std::string> ObjectReader::text_map(char const* key) {
  std::map<std::string, std::string> values;
  for (auto const& [name, value] : object(key).items()) {
    values[name] = text_at(value, origin_, member_place(place_of(key), name));
  }
  return values;
}

std::map<std::string, double> ObjectReader::positive_map(char const* key) {
  std::map<std::string, double> values;
  for (auto const& [name, value] : object(key).items()) {
    values[name] = positive(value, member_place(place_of(key), name));
  }
  return values;
}

json const& ObjectReader::object(char const* key) {
  json const& value = take(key);
  if (!value.is_object()) {
    fail(key, must_be("an object", value));
  }
  return value;
}

json const& ObjectReader::array(char const* key) {
  json const& value = take(key);
  if (!value.is_array()) {
    fail(key, must_be("an array", value));
  }
  return value;
}

void ObjectReader::finish() {
  for (auto const& item : object_.items()) {
    if (read_.contains(item.key())) {
      continue;
    }
    std::vector<std::string> const known(known_.begin(), known_.end());
    std::optional<std::string> const nearest = nearest_name(item.key(), known);
    fail(item.key(), nearest ? fmt::format("unknown key; did you mean \"{}\"? Otherwise remove it", *nearest)
                             : std::string("unknown key; remove it"));
  }
}

}  // namespace perfcheck::model
