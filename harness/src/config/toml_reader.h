// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads one TOML table key by key and rejects keys that nobody asked for.
#pragma once

#include "tomlplusplus.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::config {

/// A number's permitted range.
struct Range {
  double low = 0, high = 0;
  enum class Ends { closed, open } low_end = Ends::closed;
};

/// Use: TomlReader r(table, file, "policy"); margin = r.number_or("margin", margin, {...}); ...; r.finish();
/// Every accessor throws ConfigError naming file, line and key; finish() rejects keys that nobody asked for and names
/// the nearest known one.
class TomlReader {
 public:
  TomlReader(toml::table const& table, std::string file, std::string place);

  bool has(char const* key) const { return table_.contains(key); }
  std::string text(char const* key);
  std::string text_or(char const* key, std::string fallback);
  double number(char const* key, Range const& range);
  double number_or(char const* key, double fallback, Range const& range);
  int integer_or(char const* key, int fallback, int low, int high);
  bool flag_or(char const* key, bool fallback);
  /// One text, or an array of at least one.
  std::vector<std::string> texts(char const* key);
  std::vector<std::string> texts_or_empty(char const* key);
  /// Calls `use` with each element of an array, which may be absent.
  void for_each_element(char const* key, std::function<void(toml::node const&, std::string const& place)> const& use);
  /// Calls `use` with each sub-table of a table of tables, in the order of the file; absent means none.
  void for_each_table(char const* key, std::function<void(std::string const& name, TomlReader&)> const& use);
  /// Key and number pairs of a sub-table in the order of the file; absent means none.
  std::vector<std::pair<std::string, double>> numbers_or_empty(char const* key, Range const& range);
  /// Key and text pairs of a sub-table in the order of the file, each with its place for messages; absent means none.
  struct PlacedText {
    std::string key, text, place;
  };
  std::vector<PlacedText> placed_texts_or_empty(char const* key);
  /// A sub-table, if there is one.
  std::optional<TomlReader> table(char const* key);
  /// Calls `use` with every key that was not read yet, in the order of the file; each must be a table.
  void for_each_remaining_table(std::function<void(std::string const& name, TomlReader&)> const& use);
  /// A reader for an inline table in an array.
  TomlReader element_table(toml::node const& node, std::string const& place) const;
  std::string element_text(toml::node const& node, std::string const& place) const;

  [[noreturn]] void fail(toml::node const& at, std::string const& place, std::string const& problem) const;
  /// Fails at a key of this table, or at the table itself if the key is absent.
  [[noreturn]] void fail(char const* key, std::string const& problem) const;
  void finish() const;

 private:
  toml::node const* take(char const* key);
  toml::node const& need(char const* key);
  std::string place_of(std::string_view key) const;
  double checked_number(toml::node const& node, std::string const& place, Range const& range) const;

  toml::table const& table_;
  std::string file_, place_;
  std::set<std::string> asked_;
};

}  // namespace perfcheck::config
