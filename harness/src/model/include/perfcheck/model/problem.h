// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a problem's text, as told by its operation: nothing else parses the text.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perfcheck::model {

/// One parameter of an operation's problems: types is "f16.f32", m is 4096.
struct Axis {
  Axis(std::string axis, int number) : Axis(std::move(axis), static_cast<double>(number)) {}
  Axis(std::string axis, double number) : name(std::move(axis)), value(number) {}
  Axis(std::string axis, std::string text) : name(std::move(axis)), value(std::move(text)) {}
  bool operator==(Axis const&) const = default;

  std::string name;
  std::variant<double, std::string> value;
};

/// The axis of the data types. Only kernels with equal types are compared with each other.
inline constexpr char const* kTypesAxis = "types";

struct ProblemInfo {
  std::string text;        ///< as case ids hold it
  std::vector<Axis> axes;  ///< in the order that labels have; names are unique
  bool operator==(ProblemInfo const&) const = default;
};

/// Adds the problems whose text `known` does not hold yet.
void add_problems(std::vector<ProblemInfo>& known, std::vector<ProblemInfo> const& more);

/// Migration: the axes of a GEMM problem in a run of a version that stored none, read from a text such as
/// "f32,nn,m512n512k512,hot". Empty for any other text.
std::vector<Axis> migrated_axes(std::string const& operation, std::string const& problem);

}  // namespace perfcheck::model
