// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Canonical text of GEMM problems.
#include "perfcheck/model/one_line.h"

#include <perfcheck/gemm.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

namespace perfcheck {
namespace {

constexpr char const* kExample = "f32,nn,m512n512k512";
/// Sums of this many small integers are still exact in FP32, which the exact check needs.
constexpr int kLargestSize = 1 << 20U;
/// Rows and columns of all matrices of a batch together.
constexpr std::int64_t kLargestBatch = std::int64_t{1} << 30U;

[[noreturn]] void reject(std::string_view text, std::string const& what) {
  throw std::invalid_argument(model::one_line(fmt::format("'{}' is no GEMM problem: {}", text, what)));
}

std::vector<std::string_view> split(std::string_view text, char separator = ',') {
  std::vector<std::string_view> parts;
  while (true) {
    auto const comma = text.find(separator);
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

/// Every text of types, as in "f32, tf32 and f64".
std::string list_of_types() {
  std::string list;
  auto const all = all_gemm_types();
  for (std::size_t i = 0; i < all.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + fmt::format("'{}'", to_text(all[i]));
  }
  return list;
}

/// The types, and how many parts of the text they take: their own text may contain a comma.
struct TypesPart {
  GemmTypes types;
  std::size_t parts = 1;
};
TypesPart parse_types(std::string_view text, std::vector<std::string_view> const& parts) {
  if (parts.size() > 1 && parts[1].starts_with("scale")) {
    std::string_view const both = text.substr(0, parts[0].size() + 1 + parts[1].size());
    if (auto const* const types = find_gemm_types(both)) return {*types, 2};
    reject(text, fmt::format("unknown data types '{}'; there are {}", both, list_of_types()));
  }
  auto const* const types = find_gemm_types(parts[0]);
  if (types == nullptr) {
    reject(text, fmt::format("unknown data types '{}'; there are {}", parts[0], list_of_types()));
  }
  return {*types, 1};
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

struct LeadingDimension {
  std::string_view name;
  int GemmProblem::* member;
};
constexpr LeadingDimension kLeadingDimensions[] = {
    {"lda", &GemmProblem::lda}, {"ldb", &GemmProblem::ldb}, {"ldd", &GemmProblem::ldd}};

struct Flag {
  std::string_view name;
  bool GemmProblem::* member;
};
constexpr Flag kFlags[] = {{"pointers", &GemmProblem::pointers},
                           {"sparse24", &GemmProblem::sparse24},
                           {"bias", &GemmProblem::bias},
                           {"residual", &GemmProblem::residual},
                           {"hot", &GemmProblem::hot}};

/// Reads the number after `name`, which must be the rest of the part.
int parse_number(std::string_view text, std::string_view part, std::string_view name, int largest) {
  std::string_view rest = part.substr(name.size());
  int const number = take_size(text, rest, name, largest);
  if (!rest.empty()) reject(text, fmt::format("'{}' follows the number in '{}'", rest, part));
  return number;
}

/// The number that `digits` consists of; none if it is something else or out of range.
std::optional<int> number_in(std::string_view digits, int least, int largest) {
  int value = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool const whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && value >= least && value <= largest ? std::optional(value) : std::nullopt;
}

/// Reads what text_of_groups() writes.
std::vector<int> parse_groups(std::string_view text, std::string_view sizes) {
  std::vector<int> groups;
  for (std::string_view const item : split(sizes, '+')) {
    auto const times = item.find('x');
    bool const repeated = times != std::string_view::npos;
    auto const count = repeated ? number_in(item.substr(0, times), 1, kMostGroups) : 1;
    auto const size = number_in(repeated ? item.substr(times + 1) : item, 0, kLargestSize);
    if (!count || !size) {
      reject(text,
             fmt::format("'{}' is no size of groups; they are rows, as in groups128+0+192, or a number of groups and "
                         "the rows of each, as in groups64x128",
                         item));
    }
    groups.insert(groups.end(), static_cast<std::size_t>(*count), *size);
    if (groups.size() > kMostGroups) reject(text, fmt::format("there may be at most {} groups", kMostGroups));
  }
  if (groups.size() == 1) reject(text, fmt::format("groups are two or more; leave 'groups{}' out", sizes));
  return groups;
}

/// Reads one optional part into the problem and returns its name.
std::string_view parse_option(std::string_view text, std::string_view part, GemmProblem& problem) {
  for (auto const& [name, member] : kFlags) {
    if (part != name) continue;
    problem.*member = true;
    return name;
  }
  for (ActivationRow const& row : kActivations) {
    if (part != row.text) continue;
    problem.activation = row.activation;
    return "an activation";
  }
  for (auto const& [name, member] : kLeadingDimensions) {
    if (!part.starts_with(name)) continue;
    problem.*member = parse_number(text, part, name, 2 * kLargestSize);
    return name;
  }
  if (part.starts_with("batch")) {
    problem.batch = parse_number(text, part, "batch", kLargestSize);
    if (problem.batch == 1) reject(text, "a batch has at least two matrices; leave 'batch1' out");
    return "batch";
  }
  if (part.starts_with("groups")) {
    problem.groups = parse_groups(text, part.substr(6));
    return "groups";
  }
  if (part.starts_with("alpha")) {
    problem.alpha = parse_factor(text, "alpha", part.substr(5));
    return "alpha";
  }
  if (part.starts_with("beta")) {
    problem.beta = parse_factor(text, "beta", part.substr(4));
    return "beta";
  }
  std::string activations;
  for (ActivationRow const& row : kActivations) activations += fmt::format("{}, ", row.text);
  reject(text, fmt::format("unknown part '{}'; after the sizes there may be lda, ldb, ldd, alpha, beta, batch, "
                           "pointers, groups, sparse24, bias, "
                           "{}residual and hot, as in {},ldd520,alpha2,hot",
                           part, activations, kExample));
}

int default_lda(GemmProblem const& problem) { return problem.sparse24 ? problem.k / 2 : problem.k; }
int default_ldb(GemmProblem const& problem) { return problem.b_layout == BLayout::row_major ? problem.n : problem.k; }

void check_leading_dimension(std::string_view text, char const* name, int value, int least) {
  if (value < least) reject(text, fmt::format("{} is {} and must be at least {}", name, value, least));
}

/// Checks what groups require of a problem.
void check_groups(std::string_view text, GemmProblem const& problem) {
  if (problem.groups.empty()) return;
  if (problem.batch > 1) reject(text, "a batch has no groups; leave out one of 'batch' and 'groups'");
  if (problem.types.scaling != GemmScaling::none) reject(text, "scaled types have no groups");
  auto const rows = std::accumulate(problem.groups.begin(), problem.groups.end(), std::int64_t{0});
  if (rows != problem.m) {
    reject(text, fmt::format("the groups have {} rows together and m is {}; change the sizes of groups, or write m{}",
                             rows, problem.m, rows));
  }
}

/// Checks what a sparse A requires of a problem.
void check_sparsity(std::string_view text, GemmProblem const& problem) {
  if (!problem.sparse24) return;
  if (problem.k % 8 != 0) {
    reject(text,
           fmt::format("k is {}; with sparse24 it must be a multiple of 8, whose indices fill a byte", problem.k));
  }
  if (problem.batch > 1 || !problem.groups.empty()) reject(text, "a sparse A has no batches and no groups");
  if (problem.types.scaling != GemmScaling::none) reject(text, "scaled types have no sparse A");
}

/// Checks what the types require of a problem.
void check_types(std::string_view text, GemmProblem const& problem) {
  GemmTypes const& types = problem.types;
  bool const by_rows = problem.b_layout == BLayout::row_major;
  if (format_of(types.b).bits == 4 && (problem.ldb % 2 != 0 || (by_rows ? problem.n : problem.k) % 2 != 0)) {
    reject(text, fmt::format("two elements of {} share a byte, so {} and ldb must be even", to_text(types.b),
                             by_rows ? "n" : "k"));
  }
  if (sums_are_integers(types)) {
    auto const largest = [](Element element) {
      return std::max(format_of(element).largest, -format_of(element).smallest());
    };
    double const most = std::floor(format_of(types.accumulate).largest / (largest(types.a) * largest(types.b)));
    if (problem.k > most) {
      reject(text, fmt::format("k is {}; sums of more than {} products of {} do not fit into {}", problem.k, most,
                               to_text(types.a), to_text(types.accumulate)));
    }
    bool const whole = problem.alpha == std::rint(problem.alpha) && problem.beta == std::rint(problem.beta);
    if (!whole && format_of(types.d).integer && types.scaling == GemmScaling::none) {
      reject(text, fmt::format("alpha and beta must be whole numbers for results of {}", to_text(types.d)));
    }
  }
  if (problem.batch > 1 && types.scaling != GemmScaling::none) {
    reject(text, "scaled types have no batches");
  }
  if (problem.pointers && problem.batch == 1) {
    reject(text, "pointers are to the matrices of a batch; add one, as in batch2, or leave 'pointers' out");
  }
  if (std::int64_t{problem.batch} * std::max({problem.m, problem.n, problem.k}) > kLargestBatch) {
    reject(text, fmt::format("batch times the largest size must be at most {}", kLargestBatch));
  }
}

}  // namespace

std::string_view lacking_feature(GemmProblem const& problem, GemmFeature features) {
  if (problem.batch > 1 && !problem.pointers && !has(features, GemmFeature::batch)) return "batch";
  if (problem.pointers && !has(features, GemmFeature::pointers)) return "pointers";
  if (!problem.groups.empty() && !has(features, GemmFeature::groups)) return "groups";
  if (problem.sparse24 && !has(features, GemmFeature::sparse24)) return "sparse24";
  if (problem.bias && !has(features, GemmFeature::bias)) return "bias";
  if (!has(features, GemmFeature::none | problem.activation)) return row_of(problem.activation).text;
  if (problem.residual && !has(features, GemmFeature::residual)) return "residual";
  return "";
}

std::string text_of_groups(std::vector<int> const& groups) {
  std::string text;
  for (auto at = groups.begin(); at != groups.end();) {
    auto const end = std::find_if(at, groups.end(), [size = *at](int other) { return other != size; });
    auto const count = end - at;
    text += fmt::format("{}{}{}", text.empty() ? "" : "+", count == 1 ? "" : fmt::format("{}x", count), *at);
    at = end;
  }
  return text;
}

std::string to_text(GemmProblem const& problem) {
  std::string text = fmt::format("{},{},m{}n{}k{}", to_text(problem.types),
                                 problem.b_layout == BLayout::row_major ? "nn" : "nt", problem.m, problem.n, problem.k);
  if (problem.lda != default_lda(problem)) text += fmt::format(",lda{}", problem.lda);
  if (problem.ldb != default_ldb(problem)) text += fmt::format(",ldb{}", problem.ldb);
  if (problem.ldd != problem.n) text += fmt::format(",ldd{}", problem.ldd);
  // fmt writes the shortest digits that read back as the same float.
  if (problem.alpha != 1.0F) text += fmt::format(",alpha{}", problem.alpha);
  if (problem.beta != 0.0F) text += fmt::format(",beta{}", problem.beta);
  if (problem.batch != 1) text += fmt::format(",batch{}", problem.batch);
  if (problem.pointers) text += ",pointers";
  if (!problem.groups.empty()) text += ",groups" + text_of_groups(problem.groups);
  if (problem.sparse24) text += ",sparse24";
  if (problem.bias) text += ",bias";
  if (problem.activation != Activation::none) text += fmt::format(",{}", row_of(problem.activation).text);
  if (problem.residual) text += ",residual";
  if (problem.hot) text += ",hot";
  return text;
}

GemmProblem parse_gemm_problem(std::string_view text) {
  auto const parts = split(text);
  auto const needs_parts = [&](std::size_t count) {
    if (parts.size() < count) reject(text, fmt::format("it needs data types, layout and sizes, as in {}", kExample));
  };
  needs_parts(3);
  auto const [types, types_parts] = parse_types(text, parts);
  std::size_t const sizes = types_parts + 1;
  needs_parts(sizes + 1);
  GemmProblem problem;
  problem.types = types;
  problem.b_layout = parse_layout(text, parts[types_parts]);
  parse_sizes(text, parts[sizes], problem);
  problem.ldb = default_ldb(problem);
  problem.ldd = problem.n;
  std::set<std::string_view> seen;
  for (std::size_t i = sizes + 1; i < parts.size(); ++i) {
    auto const name = parse_option(text, parts[i], problem);
    if (!seen.insert(name).second) reject(text, fmt::format("{} is given twice", name));
  }
  if (problem.lda == 0) problem.lda = default_lda(problem);  // only now it is known whether A is sparse
  check_leading_dimension(text, "lda", problem.lda, default_lda(problem));
  check_leading_dimension(text, "ldb", problem.ldb, default_ldb(problem));
  check_leading_dimension(text, "ldd", problem.ldd, problem.n);
  check_types(text, problem);
  check_groups(text, problem);
  check_sparsity(text, problem);
  return problem;
}

}  // namespace perfcheck
