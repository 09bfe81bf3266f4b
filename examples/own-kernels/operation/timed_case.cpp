// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/timed_case.h"

#include "operation/reference.h"

#include <perfcheck/verify/check_list.h>
#include <perfcheck/verify/mismatch.h>

#include <algorithm>

namespace row_sum {
namespace {

namespace verify = perfcheck::verify;

/// More sets than this take longer to fill than to time.
constexpr std::int64_t kMostCopies = 256;

/// As kernels expect their pointers to be.
constexpr std::size_t aligned(std::int64_t elements) {
  return (static_cast<std::size_t>(elements) * sizeof(float) + 255) / 256 * 256;
}

int copies_for(RowSumProblem const& problem, std::size_t copy_bytes, perfcheck::device::Backend& backend) {
  if (problem.hot) return 1;
  auto const bytes = static_cast<std::int64_t>(copy_bytes);
  std::int64_t const beyond_cache = 3 * backend.info().cache_bytes / bytes + 1;
  std::int64_t const fitting = static_cast<std::int64_t>(backend.free_bytes()) / 4 / bytes;
  std::int64_t const wanted = std::max<std::int64_t>(beyond_cache, perfcheck::worker::kPlaces);
  return static_cast<int>(std::max<std::int64_t>(1, std::min({wanted, fitting, kMostCopies})));
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
        sums_(backend.allocate(static_cast<std::size_t>(inputs_->copies()) * sums_bytes_)) {
    engine.fill_words(sums_.data(), verify::poison_word(verify::Element::f32), sums_.size());
  }

  void launch(int index) override {
    int const copy = index % copies();
    last_used_ = std::max(last_used_, copy);
    auto const x = inputs_->copy(copy);
    kernel_.launch({.x = static_cast<float const*>(x.data),
                    .rows = x.rows,
                    .columns = x.columns,
                    .row_stride = x.row_stride,
                    .sums = static_cast<float*>(sums(copy).data),
                    .stream = backend_.stream()});
  }

  int copies() const override { return inputs_->copies(); }

  perfcheck::model::Check check_output() override {
    verify::CheckList checks;
    backend_.synchronize();
    checks.note(kName, inputs_->untouched(engine_) ? "" : "timed launches changed the inputs");
    if (last_used_ < 0) {
      checks.note(kName, "nothing was launched");
    } else {
      check_copy(0, checks);
      if (last_used_ != 0) check_copy(last_used_, checks);
    }
    return checks.result().checks.front();
  }

 private:
  static constexpr char const* kName = "timed_output";

  verify::MatrixView sums(int copy) const {
    auto sums = shape_of_sums(inputs_->problem());
    sums.data = sums_.bytes_at(static_cast<std::size_t>(copy) * sums_bytes_);
    return sums;
  }

  void check_copy(int copy, verify::CheckList& checks) {
    Reference const reference(backend_, inputs_->copy(copy));
    auto const expected = reference.expectation(bound_for(Data::signed_values, inputs_->problem()));
    auto const comparison = engine_.compare(sums(copy), expected);
    checks.note(kName, comparison.wrong.count == 0
                           ? ""
                           : "after timing, buffers " + std::to_string(copy + 1) + " of " + std::to_string(copies()) +
                                 ": " + verify::describe_mismatch(backend_, sums(copy), expected, comparison));
    checks.note_error(kName, comparison.worst);
  }

  RowSumKernel const& kernel_;
  std::shared_ptr<TimedInputs> inputs_;
  perfcheck::device::Backend& backend_;
  verify::Engine& engine_;
  std::size_t sums_bytes_;
  perfcheck::device::Memory sums_;
  int last_used_ = -1;
};

}  // namespace

TimedInputs::TimedInputs(RowSumProblem const& problem, perfcheck::device::Backend& backend, verify::Engine& engine,
                         std::uint64_t seed)
    : problem_(problem), seed_(seed), copy_bytes_(aligned(problem.rows * problem.columns)) {
  copies_ = copies_for(problem, copy_bytes_, backend);
  memory_ = backend.allocate(static_cast<std::size_t>(copies_) * copy_bytes_);
  // What lies between the copies too: the fingerprint covers all of it.
  engine.fill_words(memory_.data(), verify::poison_word(verify::Element::f32), memory_.size());
  for (int index = 0; index < copies_; ++index) {
    engine.fill(copy(index), fill_of(Data::signed_values, problem, seed, index));
  }
  fingerprint_ = engine.fingerprint(memory_.data(), memory_.size());
}

verify::MatrixView TimedInputs::copy(int index) const {
  auto x = shape_of_x(problem_, problem_.columns);
  x.data = memory_.bytes_at(static_cast<std::size_t>(index) * copy_bytes_);
  return x;
}

bool TimedInputs::untouched(verify::Engine& engine) const {
  return engine.fingerprint(memory_.data(), memory_.size()) == fingerprint_;
}

std::unique_ptr<perfcheck::worker::TimedCase> make_timed_case(RowSumKernel const& kernel,
                                                              std::shared_ptr<TimedInputs> inputs,
                                                              perfcheck::device::Backend& backend,
                                                              verify::Engine& engine) {
  return std::make_unique<TimedRowSum>(kernel, std::move(inputs), backend, engine);
}

}  // namespace row_sum
