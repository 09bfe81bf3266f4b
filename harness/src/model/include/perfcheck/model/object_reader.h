// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads one JSON object key by key and rejects keys that nobody asked for.
#pragma once

#include "perfcheck/model/json.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <set>

namespace perfcheck::model {

/// Use: ObjectReader r(json, origin, "sessions[0]"); id = r.text("id"); ...; r.finish();
/// Every accessor throws FormatError naming origin, place and remedy; finish() rejects keys that nobody read and
/// names the nearest known one. The object must outlive the reader.
class ObjectReader {
 public:
  ObjectReader(nlohmann::json const& object, std::string_view origin, std::string_view place);

  bool has(char const* key) const;
  std::string text(char const* key);
  std::string nonempty_text(char const* key);
  std::string text_or(char const* key, std::string fallback);
  /// One of `valid`; the error names the nearest of them.
  std::string choice(char const* key, std::vector<std::string> const& valid);
  bool boolean(char const* key);
  int64_t integer(char const* key, int64_t minimum = INT64_MIN, int64_t maximum = INT64_MAX);
  int small_integer(char const* key, int minimum = 0);  ///< minimum to INT_MAX
  int small_integer_or(char const* key, int fallback, int minimum = 0);
  uint64_t unsigned_integer(char const* key);
  double number(char const* key, double minimum = kLowest);  ///< finite
  double number_or(char const* key, double fallback, double minimum = kLowest);
  double positive(char const* key);  ///< finite, > 0
  std::optional<double> optional_number(char const* key, double minimum = kLowest);
  std::vector<std::string> texts(char const* key);
  std::vector<std::string> texts_or_none(char const* key);  ///< empty when there is no such member
  std::vector<double> positives(char const* key);           ///< array of finite numbers > 0
  std::map<std::string, std::string> text_map(char const* key);
  std::map<std::string, double> positive_map(char const* key);
  nlohmann::json const& object(char const* key);
  nlohmann::json const& array(char const* key);
  /// Place of a member, for nested readers: "sessions[0].cases".
  std::string place_of(std::string_view key) const;
  /// Place of an element of a member: "sessions[0].cases[3]".
  std::string place_of(std::string_view key, std::size_t index) const;
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const;
  void finish();

 private:
  static constexpr double kLowest = std::numeric_limits<double>::lowest();

  nlohmann::json const& take(char const* key);
  double finite(nlohmann::json const& value, std::string const& place) const;
  double positive(nlohmann::json const& value, std::string const& place) const;

  nlohmann::json const& object_;
  std::string origin_, place_;
  std::set<std::string> read_;
  /// Every key that was asked for, present or not: the candidates for "did you mean".
  mutable std::set<std::string> known_;
};

}  // namespace perfcheck::model
