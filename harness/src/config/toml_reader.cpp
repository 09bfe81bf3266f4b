// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "toml_reader.h"

#include "perfcheck/config/config.h"
#include "perfcheck/model/nearest.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfcheck::config {
namespace {

std::string type_name(toml::node const& node) {
  switch (node.type()) {
    case toml::node_type::none: return "nothing";
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
  }
  return "something else";
}

/// Keys and values of a table in the order of the file; toml++ sorts them by name.
std::vector<std::pair<std::string, toml::node const*>> in_file_order(toml::table const& table) {
  std::vector<std::pair<std::string, toml::node const*>> entries;
  for (auto const& [key, node] : table) {
    entries.emplace_back(std::string(key.str()), &node);
  }
  std::stable_sort(entries.begin(), entries.end(), [](auto const& a, auto const& b) {
    toml::source_position const x = a.second->source().begin, y = b.second->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  return entries;
}

}  // namespace

TomlReader::TomlReader(toml::table const& table, std::string file, std::string place)
    : table_(table), file_(std::move(file)), place_(std::move(place)) {}

std::string TomlReader::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

void TomlReader::fail(toml::node const& at, std::string const& place, std::string const& problem) const {
  // In TOML, keys and texts may hold any character.
  throw ConfigError(model::one_line(fmt::format("{}:{}: {}: {}", file_, at.source().begin.line, place, problem)));
}

void TomlReader::fail(char const* key, std::string const& problem) const {
  toml::node const* const node = table_.get(key);
  fail(node == nullptr ? static_cast<toml::node const&>(table_) : *node, place_of(key), problem);
}

toml::node const* TomlReader::take(char const* key) {
  asked_.insert(key);
  return table_.get(key);
}

toml::node const& TomlReader::need(char const* key) {
  toml::node const* const node = take(key);
  if (node == nullptr) {
    fail(key, "is missing; add it");
  }
  return *node;
}

std::string TomlReader::element_text(toml::node const& node, std::string const& place) const {
  auto const value = node.value_exact<std::string>();
  if (!value) {
    fail(node, place, fmt::format("must be a text in quotes, not {}", type_name(node)));
  }
  if (value->empty()) {
    fail(node, place, "is empty; give a text");
  }
  return *value;
}

std::string TomlReader::text(char const* key) { return element_text(need(key), place_of(key)); }

std::string TomlReader::text_or(char const* key, std::string fallback) {
  toml::node const* const node = take(key);
  return node == nullptr ? std::move(fallback) : element_text(*node, place_of(key));
}

double TomlReader::checked_number(toml::node const& node, std::string const& place, Range const& range) const {
  bool const is_number = node.is_integer() || node.is_floating_point();
  double const value = is_number ? node.value<double>().value_or(std::nan("")) : std::nan("");
  bool const above = range.low_end == Range::Ends::open ? value > range.low : value >= range.low;
  if (!is_number) {
    fail(node, place, fmt::format("must be a number, not {}", type_name(node)));
  }
  if (!(above && value <= range.high)) {
    fail(node, place,
         fmt::format("is {}, but must be {} {} and at most {}", value,
                     range.low_end == Range::Ends::open ? "above" : "at least", range.low, range.high));
  }
  return value;
}

double TomlReader::number(char const* key, Range const& range) {
  return checked_number(need(key), place_of(key), range);
}

double TomlReader::number_or(char const* key, double fallback, Range const& range) {
  toml::node const* const node = take(key);
  return node == nullptr ? fallback : checked_number(*node, place_of(key), range);
}

int TomlReader::integer_or(char const* key, int fallback, int low, int high) {
  toml::node const* const node = take(key);
  if (node == nullptr) {
    return fallback;
  }
  if (!node->is_integer()) {
    fail(*node, place_of(key), fmt::format("must be a whole number, not {}", type_name(*node)));
  }
  return static_cast<int>(checked_number(*node, place_of(key), {.low = double(low), .high = double(high)}));
}

bool TomlReader::flag_or(char const* key, bool fallback) {
  toml::node const* const node = take(key);
  if (node == nullptr) {
    return fallback;
  }
  if (!node->is_boolean()) {
    fail(*node, place_of(key), fmt::format("must be true or false, not {}", type_name(*node)));
  }
  return node->as_boolean()->get();
}

void TomlReader::for_each_element(char const* key,
                                  std::function<void(toml::node const&, std::string const& place)> const& use) {
  toml::node const* const node = take(key);
  if (node == nullptr) {
    return;
  }
  if (!node->is_array()) {
    fail(*node, place_of(key), fmt::format("must be an array, not {}", type_name(*node)));
  }
  toml::array const& array = *node->as_array();
  for (std::size_t i = 0; i < array.size(); ++i) {
    use(array[i], fmt::format("{}[{}]", place_of(key), i));
  }
}

std::vector<std::string> TomlReader::texts(char const* key) {
  toml::node const& node = need(key);
  if (!node.is_array()) {
    return {element_text(node, place_of(key))};
  }
  if (node.as_array()->empty()) {
    fail(node, place_of(key), "is empty; list at least one");
  }
  return texts_or_empty(key);
}

std::vector<std::string> TomlReader::texts_or_empty(char const* key) {
  std::vector<std::string> texts;
  for_each_element(
      key, [&](toml::node const& node, std::string const& place) { texts.push_back(element_text(node, place)); });
  return texts;
}

TomlReader TomlReader::element_table(toml::node const& node, std::string const& place) const {
  if (!node.is_table()) {
    fail(node, place, fmt::format("must be a table, not {}", type_name(node)));
  }
  return {*node.as_table(), file_, place};
}

std::optional<TomlReader> TomlReader::table(char const* key) {
  toml::node const* const node = take(key);
  if (node == nullptr) {
    return std::nullopt;
  }
  return element_table(*node, place_of(key));
}

void TomlReader::for_each_table(char const* key, std::function<void(std::string const& name, TomlReader&)> const& use) {
  if (std::optional<TomlReader> parent = table(key)) {
    parent->for_each_remaining_table(use);
  }
}

void TomlReader::for_each_remaining_table(std::function<void(std::string const& name, TomlReader&)> const& use) {
  for (auto const& [name, node] : in_file_order(table_)) {
    if (asked_.insert(name).second) {
      TomlReader reader = element_table(*node, place_of(name));
      use(name, reader);
    }
  }
}

std::vector<std::pair<std::string, double>> TomlReader::numbers_or_empty(char const* key, Range const& range) {
  std::vector<std::pair<std::string, double>> numbers;
  if (std::optional<TomlReader> const parent = table(key)) {
    for (auto const& [name, node] : in_file_order(parent->table_)) {
      numbers.emplace_back(name, checked_number(*node, parent->place_of(name), range));
    }
  }
  return numbers;
}

std::vector<TomlReader::PlacedText> TomlReader::placed_texts_or_empty(char const* key) {
  std::vector<PlacedText> texts;
  if (std::optional<TomlReader> const parent = table(key)) {
    for (auto const& [name, node] : in_file_order(parent->table_)) {
      std::string const place = parent->place_of(name);
      texts.push_back({.key = name,
                       .text = element_text(*node, place),
                       .place = fmt::format("{}:{}: {}", file_, node->source().begin.line, model::one_line(place))});
    }
  }
  return texts;
}

void TomlReader::finish() const {
  for (auto const& [key, node] : in_file_order(table_)) {
    if (asked_.contains(key)) {
      continue;
    }
    std::vector<std::string> const known(asked_.begin(), asked_.end());
    auto const nearest = model::nearest_name(key, known);
    fail(*node, place_of(key),
         nearest ? fmt::format("is not a known key; did you mean {}?", *nearest)
                 : fmt::format("is not a known key; known here: {}", fmt::join(known, ", ")));
  }
}

}  // namespace perfcheck::config
