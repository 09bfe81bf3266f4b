// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/timed_case.h"

#include "operation/reference.h"

#include <perfcheck/verify/mismatch.h>

#include <algorithm>

namespace row_sum {
namespace {

namespace verify = perfcheck::verify;

/// More sets than this take longer to fill than to time.
constexpr std::int64_t kMostSets = 256;

/// As kernels expect their pointers to be.
constexpr std::size_t aligned(std::int64_t elements) {
  return (static_cast<std::size_t>(elements) * sizeof(float) + 255) / 256 * 256;
}

/// A replay has no more launches than there are sets.
int sets_for(RowSumProblem const& problem, perfcheck::device::Backend& backend) {
  auto const bytes = static_cast<std::int64_t>(aligned(problem.rows * problem.columns) + aligned(problem.rows));
  std::int64_t const cache = backend.info().cache_bytes;
  std::int64_t const fitting =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(backend.free_bytes()) / 4 / bytes, 1, kMostSets);
  std::int64_t const wanted = problem.hot ? backend.hot_bytes() / bytes
                                          : std::max<std::int64_t>(3 * cache / bytes + 1, perfcheck::worker::kPlaces);
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, fitting));
}

class TimedRowSum final : public perfcheck::worker::TimedCase {
 public:
  TimedRowSum(RowSumKernel const& kernel, std::shared_ptr<TimedInputs> inputs, perfcheck::device::Backend& backend,
              verify::Engine& engine)
      : kernel_(kernel),
        inputs_(std::move(inputs)),
        backend_(backend),
        engine_(engine),
        sums_bytes_(aligned(inputs_->problem().rows)),
        sums_(backend.allocate(bytes_of(sets()))),
        seized_(backend.allocate(bytes_of(sets()))) {
    auto const count = static_cast<std::size_t>(sets() * inputs_->problem().rows);
    expected_ = backend.allocate(count * sizeof(double));
    scales_ = backend.allocate(count * sizeof(float));
  }

  int sets() const override { return inputs_->sets(); }
  bool cold() const override { return !inputs_->problem().hot; }

  void launch(int set) override {
    auto const x = inputs_->x().of(set);
    kernel_.launch({.x = static_cast<float const*>(x.data),
                    .rows = x.rows,
                    .columns = x.columns,
                    .row_stride = x.row_stride,
                    .sums = reinterpret_cast<float*>(sums_.bytes_at(bytes_of(set))),
                    .stream = backend_.stream()});
  }

  void renew(verify::SetRange sets, std::uint64_t secret) override {
    engine_.renew({&inputs_->x(), 1}, sets, secret, {{poisoned(sets)}});
  }
  void renew_late(std::uint64_t secret) override {
    engine_.renew_late({&inputs_->x(), 1}, {0, 1}, secret, {{poisoned({0, 1})}});
  }

  /// Copies the outputs at once: what a thread or a kernel writes from now on comes too late.
  void compare(int sets, std::uint64_t secret, std::uint64_t) override {
    compared_sets_ = sets;
    engine_.copy(seized_.data(), sums_.data(), bytes_of(sets));
    engine_.sum_rows(inputs_->x(), sets, secret, static_cast<double*>(expected_.data()),
                     static_cast<float*>(scales_.data()));
  }

  /// Sums are small, so each of them is compared: all sets as one matrix with a row for each.
  std::string finding() override {
    verify::MatrixView const got{.data = seized_.data(),
                                 .element = verify::Element::f32,
                                 .rows = compared_sets_,
                                 .columns = inputs_->problem().rows,
                                 .row_stride = static_cast<std::int64_t>(sums_bytes_ / sizeof(float)),
                                 .column_stride = 1};
    verify::Expectation expected;
    expected.product = static_cast<double const*>(expected_.data());
    expected.scale = static_cast<float const*>(scales_.data());
    expected.bound = bound_for(Data::signed_values, inputs_->problem());
    auto const comparison = engine_.compare(got, expected);
    if (!engine_.was_alone()) {
      throw perfcheck::device::Interference("something else was resident while timed inputs were written", true);
    }
    if (comparison.wrong.count == 0) return "";
    return "outputs by set: " + verify::describe_mismatch(backend_, got, expected, comparison);
  }

  std::string changed_inputs(int sets, std::uint64_t secret) override {
    return engine_.count_changed({&inputs_->x(), 1}, {0, sets}, secret) == 0 ? "" : "timed launches changed the inputs";
  }

 private:
  std::size_t bytes_of(int sets) const { return static_cast<std::size_t>(sets) * sums_bytes_; }
  verify::PoisonedMemory poisoned(verify::SetRange sets) const {
    return {sums_.bytes_at(bytes_of(sets.first)), bytes_of(sets.count), verify::poison_word(verify::Element::f32)};
  }

  RowSumKernel const& kernel_;
  std::shared_ptr<TimedInputs> inputs_;
  perfcheck::device::Backend& backend_;
  verify::Engine& engine_;
  std::size_t sums_bytes_;
  perfcheck::device::Memory sums_, seized_;
  perfcheck::device::Memory expected_, scales_;  // double, float: by set and row
  int compared_sets_ = 0;
};

}  // namespace

TimedInputs::TimedInputs(RowSumProblem const& problem, perfcheck::device::Backend& backend, verify::Engine& engine)
    : problem_(problem), sets_(sets_for(problem, backend)) {
  std::size_t const set_bytes = aligned(problem.rows * problem.columns);
  memory_ = backend.allocate(static_cast<std::size_t>(sets_) * set_bytes);
  // What lies between the sets too.
  engine.fill_words(memory_.data(), verify::poison_word(verify::Element::f32), memory_.size());
  x_ = {.first = shape_of_x(problem, problem.columns), .set_bytes = static_cast<std::int64_t>(set_bytes), .operand = 0};
  x_.first.data = memory_.data();
}

std::unique_ptr<perfcheck::worker::TimedCase> make_timed_case(RowSumKernel const& kernel,
                                                              std::shared_ptr<TimedInputs> inputs,
                                                              perfcheck::device::Backend& backend,
                                                              verify::Engine& engine) {
  return std::make_unique<TimedRowSum>(kernel, std::move(inputs), backend, engine);
}

}  // namespace row_sum
