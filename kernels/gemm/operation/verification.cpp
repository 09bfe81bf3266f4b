// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "verification.h"

#include "definition.h"

#include "perfcheck/verify/check_list.h"
#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace perfcheck::gemm {
namespace {

double work_flop(GemmProblem const& problem) { return 2.0 * problem.batch * problem.m * problem.n * problem.k; }

class Verifier {
 public:
  Verifier(ProblemState& state, GemmDevice& device, KernelInfo const& kernel, std::uint64_t seed)
      : state_(state),
        device_(device),
        bench_(*state.bench),
        kernel_(gemm_kernel(kernel)),
        deterministic_(kernel.deterministic),
        mixes_lines_(kernel.work_share > 0 && kernel.work_share < 1),
        problem_(state.problem),
        exact_problem_(with_exact_factors(state.problem)),
        seed_(seed),
        large_(work_flop(state.problem) > device.large_flop) {}

  model::Verification run() {
    if (auto const refusal = refusal_of(kernel_, exact_problem_)) {
      checks_.note("exact",
                   fmt::format("cannot be made: with alpha {} and beta {}, for which sums are exact, the kernel "
                               "refuses the problem: {}",
                               exact_problem_.alpha, exact_problem_.beta, *refusal));
      return checks_.result();
    }
    try_data("exact", "", Data::exact, exact_problem_);
    special_values();
    if (has_data(Data::long_sums, problem_)) try_data("long_sums", "", Data::long_sums, exact_problem_);
    real_data();
    wide_data();
    factors();
    if (!large_) {
      try_data("structured", "one-hot A: ", Data::one_hot_a, exact_problem_);
      try_data("structured", "one-hot B: ", Data::one_hot_b, exact_problem_);
      if (has_data(Data::rank_one, problem_)) try_data("structured", "rank one: ", Data::rank_one, exact_problem_);
    }
    leading_dimensions();
    return checks_.result();
  }

 private:
  /// Loads the data and returns its reference, computed before the kernel could touch the inputs.
  Reference const& load(Data data, GemmProblem const& problem) {
    DataSet set = data_set(data, problem, seed_);
    kit::Contents contents{.inputs = inputs_of(problem), .fills = {}, .output = output_of(problem)};
    for (Operand const& operand : contents.inputs) contents.fills.push_back(set.of(static_cast<Input>(operand.number)));
    contents.other = GemmDefinition(problem).other_input(device_);
    contents.other_secret = verify::mix(seed_, static_cast<std::uint64_t>(data), 0);
    bench_.load(contents);
    return state_.references.get(device_, problem, data, matrices());
  }

  Matrices matrices() const { return Matrices(bench_.inputs()); }

  void launch(GemmProblem const& problem, std::string const& occasion, UnreadC c = UnreadC::withheld) {
    bench_.launch(*make_launches(kernel_, problem, device_, 1, c), workspace_of(kernel_, problem), occasion, checks_);
  }

  void compare(std::string const& check, std::string const& prefix, verify::Expectation const& expected) {
    auto const comparison = device_.engine->compare(bench_.output(), expected);
    bool const wrong = comparison.wrong.count != 0;
    checks_.note(check, wrong ? prefix +
                                    verify::describe_mismatch(device_.backend, bench_.output(), expected, comparison) +
                                    describe_row(row_parts(problem_), comparison.wrong.first_row)
                              : "");
    if (!expected.bound.exact) checks_.note_error(check, comparison.worst);
  }

  void try_data(std::string const& check, std::string const& prefix, Data data, GemmProblem const& problem) {
    Reference const& reference = load(data, problem);
    launch(problem, "data of the check " + check);
    compare(check, prefix, expectation(problem, data, reference, matrices()));
  }

  /// NaN, then infinity, in one element of A and one of B: they must show in that row and that column of D and nowhere
  /// else.
  void special_values() {
    if (problem_.activation != Activation::none) return;  // an activation may do anything with them
    double const infinity = std::numeric_limits<double>::infinity();
    double const nan = std::numeric_limits<double>::quiet_NaN();
    if (all_have(&ElementFormat::has_nan)) special_value("nan_placement", nan, -nan, 11);
    if (all_have(&ElementFormat::has_infinity)) special_value("inf_placement", infinity, -infinity, 12);
  }

  bool all_have(bool ElementFormat::* property) const {
    GemmTypes const& types = problem_.types;
    return format_of(types.a).*property && format_of(types.b).*property && format_of(types.d).*property;
  }

  void special_value(std::string const& check, double in_a, double in_b, std::uint64_t salt) {
    auto const place = [&](std::uint64_t which, std::int64_t size) {
      return static_cast<std::int64_t>(verify::mix(seed_, salt, which) % static_cast<std::uint64_t>(size));
    };
    GemmProblem const& p = problem_;
    RowParts const parts = row_parts(p);
    auto const part = static_cast<int>(place(5, parts.count));
    std::int64_t const matrix = parts.matrix(part), first = parts.first(part), rows = parts.rows(part);
    bool const by_rows = p.b_layout == BLayout::row_major;
    // At an end of its group, where a neighbour would take it for its own.
    std::int64_t const row = first + (parts.grouped ? place(1, 2) * (rows - 1) : place(1, rows));
    auto const row_product = device_.backend.allocate(static_cast<std::size_t>(p.n) * sizeof(double));
    auto const column_product = device_.backend.allocate(static_cast<std::size_t>(rows) * sizeof(double));

    Reference const& reference = load(Data::exact, exact_problem_);
    bench_.overwrite(number_of(Input::a), row, place(3, products_of_sum(p)), in_a);
    // With a sparse A, an element of B may be multiplied by zero or not at all, so only A gets a special value.
    std::int64_t const column = p.sparse24 ? -1 : place(2, p.n);
    if (column >= 0) {
      bench_.overwrite(number_of(Input::b), place(4, p.k) + (by_rows ? matrix * p.k : 0),
                       column + (by_rows ? 0 : matrix * p.n), in_b);
    }
    auto expected = expectation(exact_problem_, Data::exact, reference, matrices());
    expected.other_row = row;
    expected.other_row_product = static_cast<double*>(row_product.data());
    expected.other_column = column;
    expected.other_column_first = first;
    expected.other_column_rows = rows;
    expected.other_column_product = static_cast<double*>(column_product.data());
    DenseA const dense = dense_a(device_, p, matrices());
    auto const [a, b] = pair_of(dense.a, matrices().b(p.types), parts, part);
    device_.product->multiply(a.part(row - first, 0, 1, p.k), b, RowParts::whole(1),
                              static_cast<double*>(row_product.data()), nullptr);
    if (column >= 0) {
      device_.product->multiply(a, b.part(0, column, p.k, 1), RowParts::whole(rows),
                                static_cast<double*>(column_product.data()), nullptr);
    }
    launch(exact_problem_, "data of the check " + check);
    compare(check,
            column < 0 ? fmt::format("only row {} should be affected: ", row)
                       : fmt::format("only row {} and column {} should be affected: ", row, column),
            expected);
  }

  /// Signed data, positive data, and signed data again: the same bits must come out although other data went through
  /// the kernel, its workspace and its shared memory in between.
  void real_data() {
    try_data("signed", "", Data::signed_values, problem_);
    std::size_t const bytes = bench_.output_bytes();
    auto const kept = device_.backend.allocate(bytes);
    device_.engine->copy(kept.data(), bench_.output().data, bytes);
    if (has_data(Data::positive, problem_)) try_data("positive", "", Data::positive, problem_);
    for (int run = 2; run <= 3; ++run) {
      Reference const& reference = load(Data::signed_values, problem_);
      launch(problem_, fmt::format("run {} of the same data", run));
      compare("repeat", fmt::format("run {} of the same data: ", run),
              expectation(problem_, Data::signed_values, reference, matrices()));
      if (deterministic_) compare_with_first_run(run, kept.data());
    }
  }

  /// Powers of two change no relative error. A method that needs fewer products (Strassen) adds rows to rows, and need
  /// not preserve small ones next to large ones: for it, the matrices are scaled as a whole.
  void wide_data() {
    Data const data = mixes_lines_ ? Data::wide_whole : Data::wide_lines;
    if (!has_data(data, problem_)) return;
    try_data("range",
             mixes_lines_ ? "A and B times powers of two: " : "rows of A and columns of B times powers of two: ", data,
             problem_);
  }

  void compare_with_first_run(int run, void* first_run) {
    verify::MatrixView first = bench_.output();
    first.data = first_run;
    auto const found = device_.engine->find_different(bench_.output(), first);
    checks_.note("repeat",
                 found.count == 0
                     ? ""
                     : fmt::format("run {} differs from run 1 in the bits of {} of {} elements; {}", run, found.count,
                                   first.size(), verify::describe_box(found, first.rows, first.columns)));
  }

  /// Other alpha and beta than the problem's, as far as the kernel runs them; and NaN in C, which beta = 0 ignores.
  void factors() {
    GemmProblem const general = with_other_factors(problem_);
    if (!refusal_of(kernel_, general)) {
      try_data("alpha_beta", fmt::format("alpha {}, beta {}: ", general.alpha, general.beta), Data::signed_values,
               general);
    }
    GemmProblem without_c = problem_;
    without_c.beta = 0;
    if (refusal_of(kernel_, without_c)) return;
    Reference const& reference = load(Data::signed_values, without_c);
    bench_.poison(number_of(Input::c));
    launch(without_c, "C full of NaN with beta 0", UnreadC::given);
    compare("alpha_beta",
            "C full of NaN with beta 0: ", expectation(without_c, Data::signed_values, reference, matrices()));
  }

  /// The same shape with gaps between rows: odd ones, which leave rows unaligned, and ones that keep 16-byte alignment.
  void leading_dimensions() {
    struct Gaps {
      int a, b, d;
    };
    for (auto const& gaps : {Gaps{1, 3, 5}, Gaps{8, 16, 24}}) {
      GemmProblem padded = exact_problem_;
      padded.lda += gaps.a;
      padded.ldb += gaps.b + (format_of(problem_.types.b).bits == 4 ? gaps.b % 2 : 0);  // two share a byte
      padded.ldd += gaps.d;
      if (refusal_of(kernel_, padded)) continue;
      try_data("leading_dimensions", fmt::format("lda {}, ldb {}, ldd {}: ", padded.lda, padded.ldb, padded.ldd),
               Data::exact, padded);
      if (large_) return;
    }
  }

  ProblemState& state_;
  GemmDevice& device_;
  kit::Bench& bench_;
  GemmKernel const& kernel_;
  bool deterministic_;
  bool mixes_lines_;
  GemmProblem problem_, exact_problem_;
  std::uint64_t seed_;
  bool large_;
  verify::CheckList checks_;
};

}  // namespace

model::Verification verify_kernel(ProblemState& state, device::Backend& backend, KernelInfo const& kernel,
                                  std::uint64_t seed) {
  GemmDevice& device = state.enter(backend, seed);
  return Verifier(state, device, kernel, seed).run();
}

}  // namespace perfcheck::gemm
