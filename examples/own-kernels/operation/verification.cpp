// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/verification.h"

#include "operation/reference.h"

#include <perfcheck/verify/check_list.h>
#include <perfcheck/verify/guarded_buffer.h>
#include <perfcheck/verify/mismatch.h>

#include <limits>

namespace row_sum {
namespace {

namespace verify = perfcheck::verify;

class Verifier {
 public:
  Verifier(RowSumKernel const& kernel, RowSumProblem const& problem, perfcheck::device::Backend& backend,
           verify::Engine& engine, std::uint64_t seed)
      : kernel_(kernel), problem_(problem), backend_(backend), engine_(engine), seed_(seed) {}

  perfcheck::model::Verification run() {
    load(Data::exact, problem_.columns);
    launch_and_compare("exact", Data::exact);
    special_value("nan_placement", std::numeric_limits<float>::quiet_NaN());
    special_value("inf_placement", -std::numeric_limits<float>::infinity());

    load(Data::positive, problem_.columns);
    launch_and_compare("positive", Data::positive);
    load(Data::signed_values, problem_.columns);
    launch_and_compare("signed", Data::signed_values);
    repeat();

    // Rows that are not next to each other: one gap that leaves them unaligned, one that keeps 16 bytes.
    for (std::int64_t const gap : {1, 8}) {
      load(Data::exact, problem_.columns + gap);
      launch_and_compare("row_stride", Data::exact);
    }
    return checks_.result();
  }

 private:
  void load(Data data, std::int64_t row_stride) {
    row_stride_ = row_stride;
    engine_.fill(x_.place(backend_, engine_, shape_of_x(problem_, row_stride)), fill_of(data, problem_, seed_));
    sums_.place(backend_, engine_, shape_of_sums(problem_));
  }

  /// The reference comes first: from inputs that the kernel could not touch yet.
  void launch_and_compare(std::string const& check, Data data) {
    Reference const reference(backend_, x_.matrix());
    launch();
    auto const expected = reference.expectation(bound_for(data, problem_));
    auto const comparison = engine_.compare(sums_.matrix(), expected);
    checks_.note(check, comparison.wrong.count == 0
                            ? ""
                            : verify::describe_mismatch(backend_, sums_.matrix(), expected, comparison));
    if (!expected.bound.exact) checks_.note_error(check, comparison.worst);
  }

  /// Launches on poisoned sums, and looks at everything the kernel had no business to write.
  void launch() {
    sums_.poison(engine_);
    auto const before = engine_.fingerprint(x_.matrix().data, x_.content_bytes());
    kernel_.launch({.x = static_cast<float const*>(x_.matrix().data),
                    .rows = problem_.rows,
                    .columns = problem_.columns,
                    .row_stride = row_stride_,
                    .sums = static_cast<float*>(sums_.matrix().data),
                    .stream = backend_.stream()});
    backend_.check_launch();
    backend_.synchronize();
    checks_.note("guard_bands", x_.damage_around(engine_));
    checks_.note("guard_bands", sums_.damage_around(engine_));
    bool const changed = engine_.fingerprint(x_.matrix().data, x_.content_bytes()) != before;
    checks_.note("inputs_untouched", changed ? "the kernel wrote to x, or between its rows" : "");
  }

  /// One such element in exact data: it must show in its row, and in no other.
  void special_value(std::string const& check, float value) {
    auto const place = [&](std::uint64_t which, std::int64_t size) {
      return static_cast<std::int64_t>(verify::mix(seed_, 17, which) % static_cast<std::uint64_t>(size));
    };
    load(Data::exact, problem_.columns);
    auto const element = x_.matrix().block(place(1, problem_.rows), place(2, problem_.columns), 1, 1);
    backend_.copy_to_device(element.data, &value, sizeof value);
    launch_and_compare(check, Data::exact);
  }

  /// The same data again must give the same bits: races and memory that nobody wrote seldom repeat.
  void repeat() {
    verify::GuardedBuffer first("the first run's sums");
    first.place(backend_, engine_, shape_of_sums(problem_));
    engine_.copy(first.matrix().data, sums_.matrix().data, sums_.content_bytes());
    launch();
    auto const different = engine_.find_different(sums_.matrix(), first.matrix());
    checks_.note("repeat", different.count == 0
                               ? ""
                               : std::to_string(different.count) + " sums differ in their bits from the first run; " +
                                     verify::describe_box(different, problem_.rows, 1));
  }

  RowSumKernel const& kernel_;
  RowSumProblem const& problem_;
  perfcheck::device::Backend& backend_;
  verify::Engine& engine_;
  std::uint64_t seed_;
  std::int64_t row_stride_ = 0;
  verify::GuardedBuffer x_{"x"}, sums_{"sums"};
  verify::CheckList checks_;
};

}  // namespace

perfcheck::model::Verification verify_kernel(RowSumKernel const& kernel, RowSumProblem const& problem,
                                             perfcheck::device::Backend& backend, verify::Engine& engine,
                                             std::uint64_t seed) {
  return Verifier(kernel, problem, backend, engine, seed).run();
}

}  // namespace row_sum
