// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns of numbers as bytes: what docs/report-data.md calls Columns.
#pragma once

#include "perfcheck/report/series.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::report {

/// The numbers of one column, encoded one by one.
class ColumnEncoder {
 public:
  enum class Kind { index, log, linear };

  ColumnEncoder(char const* name, Kind kind, double quantum) : name_(name), kind_(kind), quantum_(quantum) {}

  /// Adds a value to a column of kind index.
  void add(int value);
  /// Adds a value to a column of another kind. Values that are not finite, or not positive in a logarithmic column,
  /// count as missing.
  void add(double value);

  std::size_t count() const { return count_; }
  std::string const& bytes() const { return bytes_; }
  /// Its entry in the header.
  nlohmann::json header() const;

 private:
  void put(uint32_t number);
  void put_difference(int32_t value, uint32_t offset);

  char const* name_;
  Kind kind_;
  double quantum_;
  int32_t last_ = 0;
  std::size_t count_ = 0;
  std::string bytes_;
};

/// The columns that a series and a block of runs share.
class ValueColumns {
 public:
  ValueColumns();

  /// Adds value number `i` of a series.
  void add(Series const& series, std::size_t i);
  /// Adds a place at which the case does not appear.
  void add_absent();
  std::size_t count() const { return status_.count(); }

  /// All columns, with `first` in front of these, and their header. `tables`: tables of the header besides status and
  /// verdict.
  std::string bytes(std::vector<ColumnEncoder const*> const& first, nlohmann::json tables) const;

 private:
  ColumnEncoder status_, verdict_;
  std::vector<ColumnEncoder> numbers_;  // as in kNumbers
  ColumnEncoder sessions_;
};

/// An entry of a table of attributes. Throws std::invalid_argument for a text that is not JSON.
nlohmann::json attributes_json(std::string const& text);

}  // namespace perfcheck::report
