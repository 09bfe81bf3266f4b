// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes each value in one canonical form, so that diffs show changes of the data and nothing else.
#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"
#include "place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace perfcheck::model {
namespace {

using nlohmann::json;

constexpr std::size_t kLineLength = 120;

std::string number_text(double value, std::string const& place) {
  if (!std::isfinite(value)) {
    throw_format_error("cannot write JSON", place, fmt::format("{} is no JSON number; measure again", value));
  }
  std::string text = fmt::format("{}", value);
  if (text.ends_with(".0")) {
    text.resize(text.size() - 2);
  }
  return text;
}

std::string scalar_text(json const& value, std::string const& place) {
  if (value.is_number_float()) {
    return number_text(value.get<double>(), place);
  }
  return one_line_text(value);
}

class Writer {
 public:
  explicit Writer(std::set<std::string> const& on_one_line) : on_one_line_(on_one_line) {}

  std::string text_of(json const& value) {
    write(value, 0, "");
    out_ += '\n';
    return std::move(out_);
  }

 private:
  void write(json const& value, std::size_t indent, std::string const& place) {
    if (value.is_object()) {
      write_object(value, indent, place);
    } else if (value.is_array()) {
      write_array(value, indent, place);
    } else {
      out_ += scalar_text(value, place);
    }
  }

  void write_object(json const& object, std::size_t indent, std::string const& place) {
    if (object.empty()) {
      out_ += "{}";
      return;
    }
    char const* separator = "{\n";
    for (auto const& [key, value] : object.items()) {
      out_ += separator;
      out_.append(indent + 2, ' ');
      out_ += one_line_text(key);
      out_ += ": ";
      write_member(key, value, indent + 2, member_place(place, key));
      separator = ",\n";
    }
    out_ += '\n';
    out_.append(indent, ' ');
    out_ += '}';
  }

  void write_member(std::string const& key, json const& value, std::size_t indent, std::string const& place) {
    if (!value.is_structured() || !on_one_line_.contains(key)) {
      write(value, indent, place);
    } else if (value.is_object() || value.empty()) {
      out_ += one_line(value, place);
    } else {
      write_elements(value, indent, place,
                     [this](json const& element, std::string const& at) { out_ += one_line(element, at); });
    }
  }

  void write_array(json const& array, std::size_t indent, std::string const& place) {
    if (std::none_of(array.begin(), array.end(), [](json const& value) { return value.is_structured(); })) {
      bool const numbers = std::all_of(array.begin(), array.end(), [](json const& value) { return value.is_number(); });
      std::string const line = one_line(array, place);
      if (numbers || indent + line.size() <= kLineLength) {
        out_ += line;
        return;
      }
    }
    write_elements(array, indent, place,
                   [&](json const& element, std::string const& at) { write(element, indent + 2, at); });
  }

  /// An array with one element per line, each written by `write_one`.
  template <typename WriteOne>
  void write_elements(json const& array, std::size_t indent, std::string const& place, WriteOne write_one) {
    char const* separator = "[\n";
    std::size_t index = 0;
    for (json const& value : array) {
      out_ += separator;
      out_.append(indent + 2, ' ');
      write_one(value, element_place(place, index++));
      separator = ",\n";
    }
    out_ += '\n';
    out_.append(indent, ' ');
    out_ += ']';
  }

  static std::string one_line(json const& value, std::string const& place) {
    if (!value.is_structured()) {
      return scalar_text(value, place);
    }
    std::string line;
    std::size_t index = 0;
    for (auto const& [key, member] : value.items()) {
      line += line.empty() ? "" : ", ";
      line += value.is_object() ? scalar_text(key, place) + ": " + one_line(member, member_place(place, key))
                                : one_line(member, element_place(place, index++));
    }
    return value.is_object() ? "{" + line + "}" : "[" + line + "]";
  }

  std::set<std::string> const& on_one_line_;
  std::string out_;
};

}  // namespace

std::string json_to_text(json const& value, std::set<std::string> const& on_one_line) {
  return Writer(on_one_line).text_of(value);
}

double rounded(double value, int digits) {
  if (!std::isfinite(value)) {
    return value;
  }
  // Through decimal text, because only that gives the double nearest to the rounded decimal number; neither fmt nor
  // from_chars looks at the locale.
  std::string const text = fmt::format("{:.{}e}", value, digits - 1);
  double result = 0;
  // Rounding up the largest double leaves no double to round to.
  if (std::from_chars(text.data(), text.data() + text.size(), result).ec != std::errc{}) {
    return value;
  }
  return result == 0 ? 0 : result;
}

json measurement(double value) { return rounded(value, kMeasurementDigits); }

json measurements(std::vector<double> const& values, int digits) {
  json array = json::array();
  for (double const value : values) {
    array.push_back(rounded(value, digits));
  }
  return array;
}

json count_json(double value) {
  constexpr double kLargestExact = 9007199254740992.0;  // 2^53
  if (std::abs(value) <= kLargestExact && std::trunc(value) == value) {
    return static_cast<int64_t>(value);
  }
  return measurement(value);
}

void put_optional(json& object, char const* key, std::optional<double> const& value) {
  if (value && std::isfinite(*value)) {
    object[key] = measurement(*value);
  }
}

void put_number(json& object, char const* key, std::optional<double> const& value) {
  if (value && std::isfinite(*value)) {
    object[key] = *value;
  }
}

std::string document_text(json const& value) { return value.dump(2) + "\n"; }

std::string one_line_text(json const& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

void put_nonempty(json& object, char const* key, std::string const& value) {
  if (!value.empty()) {
    object[key] = value;
  }
}

void put_nonempty(json& object, char const* key, std::vector<std::string> const& values) {
  if (!values.empty()) {
    object[key] = values;
  }
}

}  // namespace perfcheck::model
