// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// NVBench's results for one state: a list of tagged summaries, each a list of named values.
#pragma once

#include "perfcheck/import/import.h"
#include "perfcheck/model/object_reader.h"

#include <map>
#include <vector>

namespace perfcheck::importing {

class Summaries {
 public:
  /// `state` is the object that holds "summaries"; its JSON must outlive this object.
  Summaries(model::ObjectReader& state, std::string_view origin);

  /// The value of the summary with this tag, finite and greater than 0. Empty when there is no such summary.
  std::optional<double> positive(std::string const& tag) const;
  /// The same for an optional value: also empty when the value cannot be used.
  std::optional<double> if_positive(std::string const& tag) const;

  /// All values in the side file that the summary with this tag names, finite and greater than 0. Empty when there is
  /// no such summary. Throws if there is one but the file cannot be read or does not have the expected size.
  std::optional<std::vector<double>> side_file(std::string const& tag, ImportOptions const& options) const;

 private:
  struct Value {
    nlohmann::json const* json;
    std::string place;
  };
  /// A named value of a tagged summary; fails when the summary lacks it.
  Value value_of(std::size_t summary, std::string const& name) const;
  double positive_number(Value const& value) const;
  [[noreturn]] void fail(std::string const& place, std::string const& problem) const;

  nlohmann::json const* list_ = nullptr;
  std::string origin_, place_;
  std::map<std::string, std::size_t> by_tag_;
};

}  // namespace perfcheck::importing
