// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "data.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::gemm {
namespace {

using verify::Fill;
using verify::Pattern;

/// Target variance of the sums in data for narrow outputs, and for FP8, which Hopper's tensor cores add with 14 bits:
/// 256, up to which BF16 holds every integer, is then more than six standard deviations away.
constexpr double kSumVariance = 1600;
/// The first half of the terms of a long sum should add up to at least this: four times what FP16 holds exactly.
constexpr double kLongSum = 8192;
constexpr int kShortestLongSum = 32;
/// Exponents of wide data lie between half of this and this, or between their negatives: half of 2^20 is too large for
/// FP16, and the lower bits of 2^-20 are too small. Products of parts that are smaller by another 2^-32, as in BF16
/// halves, are still normal in FP32.
constexpr std::uint32_t kWideExponent = 40;
/// No integer of exact data is larger than this.
constexpr double kLargestInteger = 1 << 20U;

bool is_fp8(Element element) { return format_of(element).bits == 8 && !format_of(element).integer; }
bool is_scaled(GemmTypes const& types) { return types.scaling != GemmScaling::none; }
bool has_full_range(GemmTypes const& types) { return sums_are_integers(types) && !is_scaled(types); }

/// Whether sums of exact data have to be small: to fit into D, or into the accumulator.
bool needs_small_sums(GemmTypes const& types) {
  return format_of(types.d).bits <= 16 || format_of(types.accumulate).bits <= 16 || is_fp8(types.a) || is_fp8(types.b);
}

/// Mean square of +-1 ... +-limit.
double mean_square(std::uint32_t limit) { return (limit + 1.0) * (2.0 * limit + 1.0) / 6.0; }

Fill any_integer(Element element) {
  ElementFormat const format = format_of(element);
  return {.pattern = Pattern::range,
          .limit = 1U << static_cast<unsigned>(format.bits),
          .least = static_cast<std::int32_t>(format.smallest())};
}

Fill large_integer(Element element) {
  auto const largest = static_cast<std::uint32_t>(format_of(element).largest);
  return {.pattern = Pattern::range, .limit = (largest + 1) / 2, .least = static_cast<std::int32_t>((largest + 1) / 2)};
}

/// Integers that keep sums exact: in the accumulator for wide outputs (even if all terms had one sign), and almost
/// always in the output type for narrow ones.
Fill exact_integers(GemmProblem const& problem) {
  GemmTypes const& types = problem.types;
  double const k = problem.k;
  double const representable =
      std::min(format_of(types.compute).largest_exact_integer(), format_of(types.b).largest_exact_integer());
  Fill fill{.pattern = Pattern::integers};
  if (!needs_small_sums(types)) {
    bool const doubles = types.accumulate == Element::f64;
    double const whole = doubles ? 9007199254740992.0 : 16777216.0;
    double const largest = std::floor(std::sqrt((whole - 65536.0) / k));
    fill.limit =
        static_cast<std::uint32_t>(std::clamp(largest, 1.0, std::min(doubles ? kLargestInteger : 15.0, representable)));
    fill.share = 2.0 * fill.limit / (2.0 * fill.limit + 1.0);
    return fill;
  }
  double const variance = is_scaled(types) ? kSumVariance / 4 : kSumVariance;
  for (fill.limit = 3; fill.limit > 1; --fill.limit) {
    if (k * mean_square(fill.limit) * mean_square(fill.limit) <= variance) break;
  }
  if (fill.limit == 1) fill.share = std::min(1.0, std::sqrt(variance / k));
  return fill;
}

/// The largest that a product may be where ones pick the steps of k among `lines` rows of A, or columns of B: as many
/// of them as fall to one sum stay exact in the accumulator. Below 1 where even products of 1 may be too many.
double room_for_products(GemmProblem const& problem, int lines) {
  double const picked = std::ceil(static_cast<double>(problem.k) / lines);
  return std::floor(format_of(problem.types.accumulate).largest_exact_integer() / picked);
}

std::uint32_t at_most(Element element, double limit) {
  return static_cast<std::uint32_t>(std::min(limit, format_of(element).largest_exact_integer()));
}

/// The other factor of ones that pick the steps of k among `lines` rows or columns.
Fill picked_integers(GemmProblem const& problem, Element element, int lines) {
  double const room = room_for_products(problem, lines);
  Fill fill{.pattern = Pattern::integers, .limit = at_most(element, std::clamp(room, 1.0, 100.0))};
  // Signs vary: with zeros among so many +-1, sums stay as small as those of exact data.
  if (room < 1) fill.share = std::min(1.0, kSumVariance * lines / problem.k);
  return fill;
}

void set_rank_one(GemmProblem const& problem, DataSet& set) {
  double const room = room_for_products(problem, problem.n);
  double const of_column = std::clamp(std::floor(std::sqrt(room)), 1.0, 13.0);
  double const of_row = std::clamp(std::floor(room / of_column), 1.0, 15.0);
  set.a = {.pattern = Pattern::row_values, .limit = at_most(problem.types.a, of_row)};
  set.b = {.pattern = Pattern::column_values, .limit = at_most(problem.types.b, of_column)};
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

void set_wide(Data data, GemmProblem const& problem, DataSet& set) {
  set.a = {.pattern = Pattern::scaled_rows, .limit = kWideExponent, .period = 1};
  set.b = {.pattern = Pattern::scaled_columns, .limit = kWideExponent, .period = 1};
  set.c = {.pattern = Pattern::normal};
  if (data == Data::wide_whole) {
    set.a.period = problem.m;
    set.b.period = problem.n;
  }
}

/// Sets the fills of A and B, and those of C, bias and residual where they are not small integers.
void set_factors(Data data, GemmProblem const& problem, DataSet& set) {
  GemmTypes const& types = problem.types;
  switch (data) {
    case Data::exact:
      set.a = has_full_range(types) ? any_integer(types.a) : exact_integers(problem);
      set.b = has_full_range(types) ? any_integer(types.b) : exact_integers(problem);
      break;
    case Data::long_sums: set_long_sums(problem, set); break;
    case Data::signed_values:
    case Data::positive: {
      bool const positive = data == Data::positive;
      Fill const real{.pattern = positive ? Pattern::uniform : Pattern::normal};
      auto const of = [&](Element element) {
        if (!format_of(element).integer) return real;
        return positive ? large_integer(element) : any_integer(element);
      };
      set.a = of(types.a);
      set.b = of(types.b);
      if (!has_full_range(types)) set.c = set.bias = set.residual = real;
      break;
    }
    case Data::one_hot_a:
      set.a = {.pattern = Pattern::one_hot_rows};
      set.b = picked_integers(problem, types.b, problem.m);
      break;
    case Data::one_hot_b:
      set.a = picked_integers(problem, types.a, problem.n);
      set.b = {.pattern = Pattern::one_hot_columns};
      break;
    case Data::rank_one: set_rank_one(problem, set); break;
    case Data::wide_lines:
    case Data::wide_whole: set_wide(data, problem, set); break;
  }
}

void set_scales(Data data, std::vector<Operand> const& operands, DataSet& set) {
  bool const exact = data != Data::signed_values && data != Data::positive;
  for (Operand const& operand : operands) {
    if (!operand.scales) continue;
    set.of(static_cast<Input>(operand.number)) = exact ? Fill{.pattern = Pattern::range, .limit = 2, .least = 1}
                                                       // 1 or 2
                                                       : Fill{.pattern = Pattern::scales, .least = operand.exponent};
  }
}

/// Worst relative error of k roundings to nearest with `precision` bits.
double gamma_bound(double k, int precision = 24) {
  double const u = std::ldexp(1.0, -precision);
  return k * u < 1 ? k * u / (1 - k * u) : 1.0;
}

bool is_power_of_two(float x) {
  int exponent = 0;
  return std::frexp(std::fabs(x), &exponent) == 0.5F && std::abs(exponent) <= 8;
}

/// Error bounds: what no correct kernel exceeds, and what none exceeds in practice.
struct Errors {
  double sure = 0, typical = 0;
};

/// Depends on what is multiplied and on the accumulator. docs/verification.md has the table and its sources.
Errors errors_of_sums(GemmTypes const& types, double k, bool cancels) {
  double const u = std::ldexp(1.0, -24);
  double const root = std::sqrt(k);
  Errors const of_rounded_inputs{std::ldexp(1.0, -10) + std::ldexp(1.0, -22) + gamma_bound(k + 8),
                                 (cancels ? 78000 / root + 0.5 * root : 60000 / root + k / 4) * u};
  if (sums_are_integers(types)) return {8 * u, 8 * u};
  if (types.accumulate == Element::f64) {  // twice: the reference is FP64, too
    return {2 * gamma_bound(k, 53), 2 * std::ldexp(cancels ? 16 : 2 * root + 4, -53)};
  }
  if (types.accumulate == Element::f16) {
    return {gamma_bound(k + 8, 11), (cancels ? 80000 : 14000 * root + k * k / 8) * u};
  }
  if (types.accumulate == Element::tc14) {
    // Each product loses less than 2^-13 of the largest term, which no more than the scale is, and so does the sum
    // whenever 32 products are added to it.
    return {std::ldexp(k + std::ceil(k / 32), -13), (cancels ? 20000 : 370 * k + 4000) * u};
  }
  if (types.scaling == GemmScaling::groups) return of_rounded_inputs;  // weights are rounded when they are expanded
  if (is_fp8(types.a)) {
    return {std::ldexp(132, -13) + gamma_bound(k / kScaledElements + 8), cancels ? 3.2e-3 / std::max(root, 8.0) : 2e-3};
  }
  switch (types.compute) {
    case Element::f32: return {gamma_bound(k), (cancels ? 16 : 2 * root + 4) * u};
    case Element::tf32: return of_rounded_inputs;
    default: return {gamma_bound(k + 8), (cancels ? 0.5 * root + 8 : k / 4 + 8) * u};
  }
}

}  // namespace

verify::Fill& DataSet::of(Input input) {
  switch (input) {
    case Input::a: return a;
    case Input::b: return b;
    case Input::c: return c;
    case Input::a_scales: return a_scales;
    case Input::b_scales: return b_scales;
    case Input::bias: return bias;
    case Input::residual:
    case Input::a_indices: break;
  }
  return residual;
}

bool has_data(Data data, GemmProblem const& problem) {
  GemmTypes const& types = problem.types;
  switch (data) {
    case Data::wide_lines:
    case Data::wide_whole: {
      auto const is_wide = [](Element element) { return format_of(element).min_exponent <= -126; };
      return is_wide(types.a) && is_wide(types.b) && is_wide(types.d) && problem.activation == Activation::none;
    }
    case Data::long_sums:
      return format_of(types.a).bits == 16 && format_of(types.b).bits == 16 && types.accumulate == Element::f32 &&
             problem.k >= kShortestLongSum && !problem.sparse24;
    case Data::positive: return !sums_are_integers(types) || !is_scaled(types);
    case Data::rank_one: return room_for_products(problem, problem.n) >= 1;
    default: return true;
  }
}

bool sums_are_exact(Data data, GemmTypes const& types) {
  if (has_full_range(types)) return true;
  return data != Data::signed_values && data != Data::positive && data != Data::wide_lines && data != Data::wide_whole;
}

bool is_exact(Data data, GemmProblem const& problem) {
  return sums_are_exact(data, problem.types) && row_of(problem.activation).exact;
}

DataSet data_set(Data data, GemmProblem const& problem, std::uint64_t seed) {
  DataSet set;
  set.c = set.bias = set.residual = {.pattern = Pattern::integers, .limit = 8};
  set_factors(data, problem, set);
  auto const operands = inputs_of(problem);
  set_scales(data, operands, set);
  std::uint64_t number = 0;
  for (Fill* fill : {&set.a, &set.b, &set.c, &set.a_scales, &set.b_scales, &set.bias, &set.residual}) {
    fill->seed = verify::mix(seed, static_cast<std::uint64_t>(data), ++number);
    fill->fine = problem.types.a == Element::f64 && !sums_are_exact(data, problem.types);
  }
  for (Operand const& operand : operands) {
    Fill& fill = set.of(static_cast<Input>(operand.number));
    fill.magnitudes = !format_of(operand.shape.element).has_sign;
    fill.stacked_rows = operand.stacked_rows;
    fill.stacked_columns = operand.stacked_columns;
  }
  return set;
}

GemmProblem with_exact_factors(GemmProblem problem) {
  if (!is_power_of_two(problem.alpha)) problem.alpha = 1;
  if (problem.beta != 0 && !is_power_of_two(problem.beta)) problem.beta = 1;
  return problem;
}

GemmProblem with_other_factors(GemmProblem problem) {
  bool const whole = has_full_range(problem.types);
  problem.alpha = whole ? -2.0F : -1.5F;
  problem.beta = whole ? 3.0F : 0.75F;
  return problem;
}

int products_of_sum(GemmProblem const& problem) { return problem.sparse24 ? problem.k / 2 : problem.k; }

verify::Bound bound_for(Data data, GemmProblem const& problem) {
  if (is_exact(data, problem)) return verify::Bound::equal();
  GemmTypes const& types = problem.types;
  ElementFormat const d = format_of(types.d);
  ElementFormat const sum = format_of(types.accumulate);
  // What follows sums of 32 bits is computed in FP32.
  double const u = std::ldexp(1.0, -(sum.bits == 32 ? 24 : sum.precision));
  Errors const sums =
      sums_are_exact(data, types) ? Errors{} : errors_of_sums(types, products_of_sum(problem), data != Data::positive);
  double roundings = (problem.alpha != 1 ? 1 : 0) + (problem.beta != 0 ? 2 : 0) + (problem.bias ? 1 : 0) +
                     (problem.residual ? 1 : 0) + (is_scaled(types) ? 4 : 0);
  if (problem.activation != Activation::none) roundings += 4;
  double const tiny = d.bits <= 16 && d.min_exponent > -126 && !d.integer
                          ? std::ldexp(1.0, d.min_exponent - d.precision + 1)
                          : std::ldexp(1.0, -126);
  return verify::Bound::relative_to_scale(std::min(sums.sure, sums.typical) + roundings * u, tiny);
}

verify::Epilogue epilogue_of(GemmProblem const& problem) {
  ActivationRow const row = row_of(problem.activation);
  // The hardware's approximations are accurate to 2^-11 (tanh.approx): enough for 16-bit results, and only for those.
  double const error = row.exact ? 0 : std::ldexp(1.0, format_of(problem.types.d).bits <= 16 ? -11 : -20);
  return {.alpha = static_cast<double>(problem.alpha),
          .beta = static_cast<double>(problem.beta),
          .activation = problem.activation,
          .steepest = row.steepest,
          .activation_error = error};
}

}  // namespace perfcheck::gemm
