// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "data.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::gemm {
namespace {

using verify::Fill;
using verify::Pattern;

/// Wanted variance of the sums in data for 16-bit outputs: 256, up to which BF16 holds every integer, is then more than
/// six standard deviations away.
constexpr double kSumVariance = 1600;
/// Half the terms of long sums shall rise to at least this: four times what FP16 holds exactly.
constexpr double kLongSum = 8192;
constexpr int kShortestLongSum = 32;
/// Exponents of wide data lie between half of this and this, and their negatives: half a unit of 2^20 has no place in
/// FP16, nor have the lower bits of 2^-20; products of what is 2^-32 smaller yet, as in BF16 halves, are normal in
/// FP32.
constexpr std::uint32_t kWideExponent = 40;

bool is_16_bit(GemmTypes types) { return element_bytes(types) == 2; }

/// Mean square of +-1 ... +-limit.
double mean_square(std::uint32_t limit) { return (limit + 1.0) * (2.0 * limit + 1.0) / 6.0; }

/// Integers that keep sums exact: in FP32 for 32-bit outputs (below 2^24 even if all terms had one sign), and almost
/// always in the output type for 16-bit outputs.
Fill exact_integers(GemmProblem const& problem) {
  Fill fill{.pattern = Pattern::integers};
  if (!is_16_bit(problem.types)) {
    auto const largest = std::floor(std::sqrt((16777216.0 - 65536.0) / problem.k));
    fill.limit = static_cast<std::uint32_t>(std::clamp(largest, 1.0, 15.0));
    fill.share = 2.0 * fill.limit / (2.0 * fill.limit + 1.0);
    return fill;
  }
  for (fill.limit = 3; fill.limit > 1; --fill.limit) {
    if (problem.k * mean_square(fill.limit) * mean_square(fill.limit) <= kSumVariance) break;
  }
  if (fill.limit == 1) fill.share = std::min(1.0, std::sqrt(kSumVariance / problem.k));
  return fill;
}

void set_long_sums(GemmProblem const& problem, DataSet& set) {
  std::int64_t const half = problem.k / 2;
  auto const limit = std::max(2.0, std::ceil(std::sqrt(kLongSum / static_cast<double>(half))));
  double const square = (4 * limit * limit - 1) / 3;
  set.a = {.pattern = Pattern::periodic, .limit = static_cast<std::uint32_t>(limit), .period = half};
  set.b = set.a;
  set.b.pattern = Pattern::mirrored;
  set.b.share = std::min(1.0, kSumVariance / (static_cast<double>(half) * square));
}

/// Relative error of k roundings to nearest in FP32, at worst.
double gamma_bound(double k) {
  double const u = std::ldexp(1.0, -24);
  return k * u < 1 ? k * u / (1 - k * u) : 1.0;
}

bool is_power_of_two(float x) {
  int exponent = 0;
  return std::frexp(std::fabs(x), &exponent) == 0.5F && std::abs(exponent) <= 8;
}

}  // namespace

bool has_data(Data data, GemmProblem const& problem) {
  if (data == Data::wide_lines || data == Data::wide_whole) return problem.types != GemmTypes::f16;
  return data != Data::long_sums || (is_16_bit(problem.types) && problem.k >= kShortestLongSum);
}

bool is_exact(Data data) {
  return data != Data::signed_values && data != Data::positive && data != Data::wide_lines && data != Data::wide_whole;
}

DataSet data_set(Data data, GemmProblem const& problem, std::uint64_t seed) {
  DataSet set;
  set.c = {.pattern = Pattern::integers, .limit = 8};
  Fill const codes{.pattern = Pattern::integers, .limit = 100};
  switch (data) {
    case Data::exact: set.a = set.b = exact_integers(problem); break;
    case Data::long_sums: set_long_sums(problem, set); break;
    case Data::signed_values: set.a = set.b = set.c = {.pattern = Pattern::normal}; break;
    case Data::positive: set.a = set.b = set.c = {.pattern = Pattern::uniform}; break;
    case Data::one_hot_a:
      set.a = {.pattern = Pattern::one_hot_rows};
      set.b = codes;
      break;
    case Data::one_hot_b:
      set.a = codes;
      set.b = {.pattern = Pattern::one_hot_columns};
      break;
    case Data::rank_one:
      set.a = {.pattern = Pattern::row_values};
      set.b = {.pattern = Pattern::column_values};
      break;
    case Data::wide_lines:
    case Data::wide_whole:
      set.a = {.pattern = Pattern::scaled_rows, .limit = kWideExponent, .period = 1};
      set.b = {.pattern = Pattern::scaled_columns, .limit = kWideExponent, .period = 1};
      set.c = {.pattern = Pattern::normal};
      if (data == Data::wide_whole) {
        set.a.period = problem.m;
        set.b.period = problem.n;
      }
      break;
  }
  auto const kind = static_cast<std::uint64_t>(data);
  set.a.seed = verify::mix(seed, kind, 1);
  set.b.seed = verify::mix(seed, kind, 2);
  set.c.seed = verify::mix(seed, kind, 3);
  return set;
}

GemmProblem with_exact_factors(GemmProblem problem) {
  if (!is_power_of_two(problem.alpha)) problem.alpha = 1;
  if (problem.beta != 0 && !is_power_of_two(problem.beta)) problem.beta = 1;
  return problem;
}

// The constants were chosen by simulation, with room above the largest error seen for right kernels and far below the
// smallest seen for wrong ones; docs/verification.md has the table.
verify::Bound bound_for(Data data, GemmProblem const& problem) {
  if (is_exact(data)) return verify::Bound::equal();
  double const u = std::ldexp(1.0, -24);
  double const k = problem.k;
  double const root = std::sqrt(k);
  bool const cancels = data != Data::positive;
  double sure = 0;
  double typical = 0;
  switch (problem.types) {
    case GemmTypes::f32:
      sure = gamma_bound(k);
      typical = (cancels ? 16 : 2 * root + 4) * u;
      break;
    case GemmTypes::tf32:
      sure = std::ldexp(1.0, -10) + std::ldexp(1.0, -22) + gamma_bound(k + 8);
      typical = (cancels ? 78000 / root + 0.5 * root : 60000 / root + k / 4) * u;
      break;
    case GemmTypes::f16:
    case GemmTypes::bf16:
      sure = gamma_bound(k + 8);
      typical = (cancels ? 0.5 * root + 8 : k / 4 + 8) * u;
      break;
  }
  double const factors = (problem.alpha != 1 ? u : 0) + (problem.beta != 0 ? 2 * u : 0);
  double const tiny = problem.types == GemmTypes::f16 ? std::ldexp(1.0, -24) : std::ldexp(1.0, -126);
  return verify::Bound::relative_to_scale(std::min(sure, typical) + factors, tiny);
}

verify::Element element_of(GemmTypes types) {
  switch (types) {
    case GemmTypes::f32:
    case GemmTypes::tf32: return verify::Element::f32;
    case GemmTypes::f16: return verify::Element::f16;
    case GemmTypes::bf16: return verify::Element::bf16;
  }
  return verify::Element::f32;
}

Shapes shapes_of(GemmProblem const& problem) {
  auto const element = element_of(problem.types);
  bool const by_rows = problem.b_layout == BLayout::row_major;
  auto const shape = [&](int rows, int columns, int row_stride, int column_stride) {
    return verify::MatrixView{.data = nullptr,
                              .element = element,
                              .rows = rows,
                              .columns = columns,
                              .row_stride = row_stride,
                              .column_stride = column_stride};
  };
  return {.a = shape(problem.m, problem.k, problem.lda, 1),
          .b = shape(problem.k, problem.n, by_rows ? problem.ldb : 1, by_rows ? 1 : problem.ldb),
          .d = shape(problem.m, problem.n, problem.ldd, 1)};
}

}  // namespace perfcheck::gemm
