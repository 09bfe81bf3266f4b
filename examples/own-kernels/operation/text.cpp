// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/row_sum.h"

#include <charconv>
#include <stdexcept>

namespace row_sum {
namespace {

/// Sums of this many small integers are still exact in FP32, which the exact check needs.
constexpr std::int64_t kMostColumns = std::int64_t{1} << 22;
constexpr std::int64_t kMostRows = std::int64_t{1} << 24;

/// Reads a letter and a number at the front of `rest` and removes them.
std::int64_t take(std::string_view text, std::string_view& rest, char letter, std::int64_t most) {
  std::int64_t value = 0;
  bool good = !rest.empty() && rest.front() == letter;
  if (good) {
    rest.remove_prefix(1);
    auto const [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    good = error == std::errc() && value >= 1 && value <= most;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
  if (!good) {
    throw std::invalid_argument("'" + std::string(text) + "' is no row_sum problem: it needs " + letter +
                                " with a number from 1 to " + std::to_string(most) +
                                ", as in r4096c1000 or r64c4096,hot");
  }
  return value;
}

}  // namespace

std::string to_text(RowSumProblem const& problem) {
  return "r" + std::to_string(problem.rows) + "c" + std::to_string(problem.columns) + (problem.hot ? ",hot" : "");
}

RowSumProblem parse_problem(std::string_view text) {
  RowSumProblem problem;
  std::string_view rest = text;
  problem.rows = take(text, rest, 'r', kMostRows);
  problem.columns = take(text, rest, 'c', kMostColumns);
  problem.hot = rest == ",hot";
  if (!rest.empty() && !problem.hot) {
    throw std::invalid_argument("'" + std::string(text) + "' is no row_sum problem: only ',hot' may follow the sizes");
  }
  return problem;
}

}  // namespace row_sum
