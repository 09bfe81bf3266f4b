// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "page/columns.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfcheck::report {
namespace {

using Kind = ColumnEncoder::Kind;

struct NumberColumn {
  char const* name;
  std::vector<double> Series::* values;
  Kind kind;
  double quantum;
};

// Times: half a quantum is 0.001 %. Power and temperature are read in whole watts and degrees.
constexpr double kFine = 2e-5, kCoarse = 1e-3, kHalfWidth = 1e-5;
constexpr std::array kNumbers{
    NumberColumn{"time_ns", &Series::time_ns, Kind::log, kFine},
    NumberColumn{"ratio", &Series::ratio, Kind::log, kFine},
    NumberColumn{"cycles", &Series::cycles, Kind::log, kFine},
    NumberColumn{"clock_mhz", &Series::clock_mhz, Kind::log, kFine},
    NumberColumn{"power_w", &Series::power_w, Kind::log, kCoarse},
    NumberColumn{"temperature_c", &Series::temperature_c, Kind::log, kCoarse},
    NumberColumn{"time_hw", &Series::time_hw, Kind::linear, kHalfWidth},
    NumberColumn{"ratio_hw", &Series::ratio_hw, Kind::linear, kHalfWidth},
    NumberColumn{"cycles_hw", &Series::cycles_hw, Kind::linear, kHalfWidth},
};

// Differences of numbers within this limit fit into 32 bits, the width of JavaScript's shifts.
constexpr double kLargest = 1 << 29;
// Logarithm of 10^307; rounding must not turn the largest numbers into infinity.
constexpr double kLargestLogarithm = 707;

/// The empty text, then the names; value 0 means "none".
nlohmann::json table(std::vector<std::string> const& texts) {
  nlohmann::json result = nlohmann::json::array({""});
  for (std::string const& text : texts) result.push_back(text);
  return result;
}

}  // namespace

nlohmann::json attributes_json(std::string const& text) {
  try {
    // parse_strict() bounds the nesting: writing nested values recurses, and a history may come from anywhere.
    return model::parse_strict(text, "attributes of a series");
  } catch (model::FormatError const& error) {
    throw std::invalid_argument(error.what());
  }
}

void ColumnEncoder::put(uint32_t number) {
  for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(number | 0x80);
  bytes_ += static_cast<char>(number);
}

void ColumnEncoder::put_difference(int32_t value, uint32_t offset) {
  uint32_t const difference = static_cast<uint32_t>(value) - static_cast<uint32_t>(last_);
  uint32_t const zigzag = (difference << 1) ^ (difference >> 31 != 0 ? 0xffffffffu : 0u);
  put(zigzag + offset);
  last_ = value;
}

void ColumnEncoder::add(int value) {
  put_difference(value, 0);
  ++count_;
}

void ColumnEncoder::add(double value) {
  ++count_;
  bool const logarithmic = kind_ == Kind::log;
  if (!std::isfinite(value) || (logarithmic && value <= 0)) return put(0);
  double const number = logarithmic ? std::clamp(std::log(value), -kLargestLogarithm, kLargestLogarithm) : value;
  put_difference(static_cast<int32_t>(std::lround(std::clamp(number / quantum_, -kLargest, kLargest))), 1);
}

nlohmann::json ColumnEncoder::header() const {
  static constexpr std::array kKinds{"index", "log", "linear"};
  nlohmann::json result{
      {"name", name_}, {"kind", kKinds[static_cast<std::size_t>(kind_)]}, {"count", count_}, {"bytes", bytes_.size()}};
  if (kind_ != Kind::index) result["quantum"] = quantum_;
  return result;
}

ValueColumns::ValueColumns()
    : status_("status", Kind::index, 1), verdict_("verdict", Kind::index, 1), sessions_("sessions", Kind::index, 1) {
  for (NumberColumn const& column : kNumbers) numbers_.emplace_back(column.name, column.kind, column.quantum);
}

void ValueColumns::add(Series const& series, std::size_t i) {
  status_.add(static_cast<int>(series.status[i]) + 1);
  verdict_.add(series.verdict[i] ? static_cast<int>(*series.verdict[i]) + 1 : 0);
  for (std::size_t column = 0; column < kNumbers.size(); ++column)
    numbers_[column].add((series.*kNumbers[column].values)[i]);
  sessions_.add(series.sessions[i]);
}

void ValueColumns::add_absent() {
  status_.add(0);
  verdict_.add(0);
  for (ColumnEncoder& column : numbers_) column.add(std::numeric_limits<double>::quiet_NaN());
  sessions_.add(0);
}

std::string ValueColumns::bytes(std::vector<ColumnEncoder const*> const& first, nlohmann::json tables) const {
  std::vector<ColumnEncoder const*> all = first;
  all.push_back(&status_);
  all.push_back(&verdict_);
  for (ColumnEncoder const& column : numbers_) all.push_back(&column);
  all.push_back(&sessions_);

  tables["status"] = table(model::case_status_texts());
  tables["verdict"] = table(model::verdict_texts());
  nlohmann::json header{{"columns", nlohmann::json::array()}, {"tables", std::move(tables)}};
  for (ColumnEncoder const* column : all) header["columns"].push_back(column->header());

  std::string const text = model::one_line_text(header);
  std::string result;
  for (int shift = 0; shift < 32; shift += 8) result += static_cast<char>(text.size() >> shift & 0xff);
  result += text;
  for (ColumnEncoder const* column : all) result += column->bytes();
  return result;
}

}  // namespace perfcheck::report
