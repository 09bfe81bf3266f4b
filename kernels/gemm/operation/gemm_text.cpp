// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Canonical text of GEMM problems.
#include "perfcheck/model/one_line.h"

#include <perfcheck/gemm.h>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

namespace perfcheck {
namespace {

constexpr char const* kExample = "f32,nn,m512n512k512";
/// Sums of this many small integers are still exact in FP32, which the exact check needs.
constexpr int kLargestSize = 1 << 20U;

struct TypesText {
  GemmTypes types;
  std::string_view text;
  int bytes;
};
constexpr std::array kTypes{TypesText{GemmTypes::f32, "f32", 4}, TypesText{GemmTypes::tf32, "tf32", 4},
                            TypesText{GemmTypes::f16, "f16.f32", 2}, TypesText{GemmTypes::bf16, "bf16.f32", 2}};

TypesText const& entry(GemmTypes types) {
  for (auto const& candidate : kTypes) {
    if (candidate.types == types) return candidate;
  }
  throw std::logic_error("data types without an entry in kTypes");
}

[[noreturn]] void reject(std::string_view text, std::string const& what) {
  throw std::invalid_argument(model::one_line(fmt::format("'{}' is no GEMM problem: {}", text, what)));
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    auto const comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

GemmTypes parse_types(std::string_view text, std::string_view part) {
  for (auto const& candidate : kTypes) {
    if (candidate.text == part) return candidate.types;
  }
  reject(text, fmt::format("unknown data types '{}'; there are f32, tf32, f16.f32 and bf16.f32", part));
}

BLayout parse_layout(std::string_view text, std::string_view part) {
  if (part == "nn") return BLayout::row_major;
  if (part == "nt") return BLayout::column_major;
  reject(text, fmt::format("unknown layout '{}'; nn is row-major A and B, nt is row-major A and column-major B", part));
}

/// Reads digits at the front of `rest` and removes them.
int take_size(std::string_view text, std::string_view& rest, std::string_view name, int largest) {
  int value = 0;
  auto const [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  bool const digits = !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
  if (!digits || error != std::errc() || value < 1 || value > largest) {
    reject(text, fmt::format("{} must be followed by a number from 1 to {}", name, largest));
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

void parse_sizes(std::string_view text, std::string_view part, GemmProblem& problem) {
  std::string_view rest = part;
  auto const take = [&](char letter) {
    if (rest.empty() || rest.front() != letter) {
      reject(text, fmt::format("'{}' must be sizes like m512n512k512", part));
    }
    rest.remove_prefix(1);
    return take_size(text, rest, std::string_view(&letter, 1), kLargestSize);
  };
  problem.m = take('m');
  problem.n = take('n');
  problem.k = take('k');
  if (!rest.empty()) reject(text, fmt::format("'{}' follows the sizes in '{}'", rest, part));
}

float parse_factor(std::string_view text, std::string_view name, std::string_view value) {
  float factor = 0;
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), factor);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(factor)) {
    reject(text, fmt::format("'{}' after {} must be a finite number", value, name));
  }
  return factor == 0 ? 0.0F : factor;  // no negative zero: it would be another text for the same problem
}

/// Reads one optional part into the problem and returns its name.
std::string_view parse_option(std::string_view text, std::string_view part, GemmProblem& problem) {
  struct LeadingDimension {
    std::string_view name;
    int GemmProblem::* member;
  };
  if (part == "hot") {
    problem.hot = true;
    return part;
  }
  for (auto const& [name, member] :
       {LeadingDimension{"lda", &GemmProblem::lda}, {"ldb", &GemmProblem::ldb}, {"ldd", &GemmProblem::ldd}}) {
    if (part.starts_with(name)) {
      std::string_view rest = part.substr(name.size());
      problem.*member = take_size(text, rest, name, 2 * kLargestSize);
      if (!rest.empty()) reject(text, fmt::format("'{}' follows the number in '{}'", rest, part));
      return name;
    }
  }
  if (part.starts_with("alpha")) {
    problem.alpha = parse_factor(text, "alpha", part.substr(5));
    return "alpha";
  }
  if (part.starts_with("beta")) {
    problem.beta = parse_factor(text, "beta", part.substr(4));
    return "beta";
  }
  reject(text, fmt::format("unknown part '{}'; after the sizes there may be lda, ldb, ldd, alpha, beta and hot, as in "
                           "{},ldd520,alpha2,hot",
                           part, kExample));
}

int default_ldb(GemmProblem const& problem) { return problem.b_layout == BLayout::row_major ? problem.n : problem.k; }

void check_leading_dimension(std::string_view text, char const* name, int value, int least) {
  if (value < least) reject(text, fmt::format("{} is {} and must be at least {}", name, value, least));
}

}  // namespace

std::string_view to_text(GemmTypes types) { return entry(types).text; }

int element_bytes(GemmTypes types) { return entry(types).bytes; }

std::string to_text(GemmProblem const& problem) {
  std::string text = fmt::format("{},{},m{}n{}k{}", to_text(problem.types),
                                 problem.b_layout == BLayout::row_major ? "nn" : "nt", problem.m, problem.n, problem.k);
  if (problem.lda != problem.k) text += fmt::format(",lda{}", problem.lda);
  if (problem.ldb != default_ldb(problem)) text += fmt::format(",ldb{}", problem.ldb);
  if (problem.ldd != problem.n) text += fmt::format(",ldd{}", problem.ldd);
  // fmt writes the shortest digits that read back as the same float.
  if (problem.alpha != 1.0F) text += fmt::format(",alpha{}", problem.alpha);
  if (problem.beta != 0.0F) text += fmt::format(",beta{}", problem.beta);
  if (problem.hot) text += ",hot";
  return text;
}

GemmProblem parse_gemm_problem(std::string_view text) {
  auto const parts = split(text);
  if (parts.size() < 3) {
    reject(text, fmt::format("it needs data types, layout and sizes, as in {}", kExample));
  }
  GemmProblem problem;
  problem.types = parse_types(text, parts[0]);
  problem.b_layout = parse_layout(text, parts[1]);
  parse_sizes(text, parts[2], problem);
  problem.lda = problem.k;
  problem.ldb = default_ldb(problem);
  problem.ldd = problem.n;
  std::set<std::string_view> seen;
  for (std::size_t i = 3; i < parts.size(); ++i) {
    auto const name = parse_option(text, parts[i], problem);
    if (!seen.insert(name).second) reject(text, fmt::format("{} is given twice", name));
  }
  check_leading_dimension(text, "lda", problem.lda, problem.k);
  check_leading_dimension(text, "ldb", problem.ldb, default_ldb(problem));
  check_leading_dimension(text, "ldd", problem.ldd, problem.n);
  return problem;
}

}  // namespace perfcheck
