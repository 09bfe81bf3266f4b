// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "line_verification.h"

#include "line_proof.h"

#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace perfcheck::kit {
namespace {

using verify::Fill;
using verify::Pattern;

class Verifier {
 public:
  Verifier(LineDefinition const& definition, LineMath& math, Device& device, Bench& bench, KernelInfo const& kernel,
           std::uint64_t seed)
      : definition_(definition),
        math_(math),
        device_(device),
        bench_(bench),
        kernel_(kernel),
        seed_(seed),
        checks_(definition.checks()),
        operands_(definition.inputs()),
        output_(definition.output()) {}

  model::Verification run() {
    if (checks_.exact_integers != 0) try_data("exact", "", plain());
    if (checks_.special_values) special_values();
    repeat();
    try_data("positive", "", Fill{.pattern = Pattern::uniform});
    if (checks_.exponents != 0 && all_are_real()) {
      // Powers of two that differ from row to row, far above and below 1.
      try_data("range", "", Fill{.pattern = Pattern::scaled_rows, .limit = checks_.exponents, .period = 1});
    }
    structured();
    if (checks_.strides) strides();
    return list_.result();
  }

 private:
  bool all_are_real() const {
    return std::none_of(operands_.begin(), operands_.end(),
                        [](Operand const& operand) { return format_of(operand.shape.element).integer; });
  }

  /// Data for checks that are not about rounding, such as where elements go: exact if the operation has exact data.
  Fill plain() const {
    return checks_.exact_integers != 0 ? Fill{.pattern = Pattern::integers, .limit = checks_.exact_integers}
                                       : Fill{.pattern = Pattern::normal};
  }

  verify::Bound bound_of(Fill const& fill) const {
    return fill.pattern == Pattern::integers ? verify::Bound::equal() : definition_.bound();
  }

  Contents contents(Fill fill) const {
    Contents contents{.inputs = operands_, .fills = {}, .output = output_};
    for (Operand const& operand : operands_) {
      ElementFormat const format = format_of(operand.shape.element);
      Fill own = fill;
      if (operand.scales) {
        own = {.pattern = Pattern::scales, .least = operand.exponent};
      } else if (format.integer && (fill.pattern == Pattern::normal || fill.pattern == Pattern::uniform)) {
        // The same range as timed inputs: any value of the format, but below 2^20 for s32, which is only added.
        auto const most = static_cast<std::uint32_t>(std::min(format.largest, 1048575.0));
        own.limit = fill.pattern == Pattern::uniform || !format.has_sign ? most : 2 * most + 1;
        own.least = fill.pattern == Pattern::uniform || !format.has_sign ? 0 : -static_cast<std::int32_t>(most);
        own.pattern = Pattern::range;
      } else if (fill.pattern == Pattern::integers) {
        own.limit = static_cast<std::uint32_t>(std::min<double>(fill.limit, format.largest_exact_integer()));
        own.magnitudes = !format.has_sign;
      }
      own.seed =
          verify::mix(seed_, static_cast<std::uint64_t>(fill.pattern), static_cast<std::uint64_t>(operand.number));
      own.fine = format.precision > 24 && own.pattern == Pattern::normal;
      contents.fills.push_back(own);
    }
    return contents;
  }

  /// Computes the reference first, from inputs that the kernel has not had a chance to change.
  void launch_and_compare(std::string const& check, std::string const& prefix, verify::Bound const& bound) {
    LineReference const reference(device_.backend, math_, bench_.inputs(), bench_.output());
    launch("data of the check " + check);
    auto const expected = reference.expectation(bound);
    auto const comparison = device_.engine->compare(bench_.output(), expected);
    bool const wrong = comparison.wrong.count != 0;
    list_.note(check,
               wrong ? prefix + verify::describe_mismatch(device_.backend, bench_.output(), expected, comparison) : "");
    if (!bound.exact) list_.note_error(check, comparison.worst);
  }

  void launch(std::string const& occasion) {
    bench_.launch(*definition_.launches(kernel_, device_, 1), definition_.workspace_bytes(kernel_), occasion, list_);
  }

  void try_data(std::string const& check, std::string const& prefix, Fill const& fill) {
    bench_.load(contents(fill));
    launch_and_compare(check, prefix, bound_of(fill));
  }

  /// Rows in which all elements are equal, or all but one: variances of 0, maxima that occur everywhere. Equal elements
  /// also round equally, so that their errors add up instead of cancelling. The bound is therefore larger by the ratio
  /// of the error bound that always holds for a sum to the likely one (error_of_sum).
  void structured() {
    bool const exact = checks_.exact_integers != 0;
    verify::Bound bound = exact ? verify::Bound::equal() : definition_.bound();
    std::int64_t longest = 1;
    for (Operand const& operand : operands_) longest = std::max(longest, operand.shape.columns);
    bound.per_scale *= error_of_any_sum(longest, 0) / error_of_sum(longest, 0);
    bench_.load(contents({.pattern = Pattern::row_values, .limit = exact ? std::min(checks_.exact_integers, 7U) : 7}));
    launch_and_compare("structured", "rows of equal elements: ", bound);
    bench_.load(contents({.pattern = Pattern::one_hot_rows}));
    launch_and_compare("structured", "one element in a row: ", bound);
  }

  std::int64_t place(std::uint64_t which, std::int64_t size) const {
    return static_cast<std::int64_t>(verify::mix(seed_, 17, which) % static_cast<std::uint64_t>(size));
  }

  /// NaN, then infinities, in one element of each input: they must appear where the reference has them, and nowhere
  /// else.
  void special_values() {
    bool const output_has_nan = format_of(output_.shape.element).has_nan;
    double const infinity = std::numeric_limits<double>::infinity();
    for (Operand const& operand : operands_) {
      ElementFormat const format = format_of(operand.shape.element);
      if (operand.scales || !output_has_nan) continue;
      if (format.has_nan) special_value("nan_placement", operand, std::numeric_limits<double>::quiet_NaN());
      if (!format.has_infinity || !format_of(output_.shape.element).has_infinity) continue;
      special_value("inf_placement", operand, infinity);
      special_value("inf_placement", operand, -infinity);
    }
  }

  void special_value(std::string const& check, Operand const& operand, double value) {
    Fill const fill = plain();
    bench_.load(contents(fill));
    auto const which = static_cast<std::uint64_t>(operand.number);
    std::int64_t const row = place(2 * which, operand.shape.rows);
    std::int64_t const column = place(2 * which + 1, operand.shape.columns);
    bench_.overwrite(operand.number, row, column, value);
    launch_and_compare(check, fmt::format("{} in row {} column {} of {}: ", value, row, column, operand.name),
                       bound_of(fill));
  }

  /// Signed data, three times: races and uninitialised memory seldom give the same bits again.
  void repeat() {
    try_data("signed", "", Fill{.pattern = Pattern::normal});
    std::size_t const bytes = bench_.output_bytes();
    auto const kept = device_.backend.allocate(aligned_bytes(bytes));
    device_.engine->copy(kept.data(), bench_.output().data, bytes);
    verify::MatrixView first = bench_.output();
    first.data = kept.data();
    for (int run = 2; run <= 3; ++run) {
      launch_and_compare("repeat", fmt::format("run {} of the same data: ", run), definition_.bound());
      if (!kernel_.deterministic) continue;
      auto const different = device_.engine->find_different(bench_.output(), first);
      list_.note("repeat", different.count == 0
                               ? ""
                               : fmt::format("run {} differs from run 1 in the bits of {} of {} elements; {}", run,
                                             different.count, first.size(),
                                             verify::describe_box(different, first.rows, first.columns)));
    }
  }

  /// Gaps between rows: of one element, which leaves rows unaligned, and of 16, which keeps rows 16-byte aligned.
  void strides() {
    Fill const fill = plain();
    for (std::int64_t const gap : {1, 16}) {
      Contents padded = contents(fill);
      auto const widen = [&](Operand& operand) {
        bool const packed = format_of(operand.shape.element).bits < 8;
        if (operand.shape.column_stride == 1 && operand.shape.rows > 1 && !packed) operand.shape.row_stride += gap;
      };
      for (Operand& operand : padded.inputs) widen(operand);
      widen(padded.output);
      bench_.load(padded);
      launch_and_compare("row_stride", fmt::format("{} between rows: ", gap == 1 ? "1 element" : "16 elements"),
                         bound_of(fill));
    }
  }

  LineDefinition const& definition_;
  LineMath& math_;
  Device& device_;
  Bench& bench_;
  KernelInfo const& kernel_;
  std::uint64_t seed_;
  LineChecks checks_;
  std::vector<Operand> operands_;
  Operand output_;
  verify::CheckList list_;
};

}  // namespace

model::Verification verify_lines(LineDefinition const& definition, LineMath& math, Device& device, Bench& bench,
                                 KernelInfo const& kernel, std::uint64_t seed) {
  return Verifier(definition, math, device, bench, kernel, seed).run();
}

}  // namespace perfcheck::kit
