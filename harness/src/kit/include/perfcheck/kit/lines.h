// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations whose output can be computed line by line: sums and norms of rows, softmax, activations, transposes,
// anything for which a row of the output can be written as a few loops over the inputs. The operation defines its
// operands, the reference for a row in FP64, and how far kernels may be off. The kit provides the rest: checks, fresh
// inputs, poison, guards, timed and sealed cases. examples/own-kernels has two such operations.
//
//   struct RowSum {
//     using Kernel = row_sum::Kernel;                    // OperationKernel<Problem, Args>
//     static constexpr char const* name = "row_sum";
//     static constexpr std::array sizes{kit::size('r', "rows", &Problem::rows, 1 << 24), ...};
//     static constexpr std::array elements{...};         // optional, with a member Problem::element
//     static std::vector<kit::Operand> inputs(Problem const&);
//     static kit::Operand output(Problem const&);
//     static double flop(Problem const&);
//     static verify::Bound bound(Problem const&);
//     static kit::LineChecks checks(Problem const&);     // optional
//     static Args arguments(Problem const&, kit::Buffers const&);
//     template <class Line>
//     PERFCHECK_HOST_DEVICE static void reference(Problem const&, Line& line);
//   };
//   PERFCHECK_OPERATION(RowSum);
//
// A line has row(), the row of the output to compute; in(input, column), an element of an input in that row, or in its
// only row; at(input, row, column), any element of an input; sum(count, term) and max(count, term) over term(0) ...
// term(count - 1); and results(element), which takes a function that returns a LineResult for each column. All lanes of
// a warp run the reference together, so its control flow may depend on the problem, the row, sums and maxima, but on
// single elements only inside of terms.
#pragma once

#include <perfcheck/operation_kernel.h>

#include "perfcheck/kit/line_problem.h"
#if defined(__CUDACC__)
#include "perfcheck/kit/line_math_cuda.cuh"
#endif

#include <array>
#include <type_traits>
#include <utility>

namespace perfcheck::kit {

template <class Problem>
struct Size : LineSize {
  using Member = std::int64_t Problem::*;
  Member member = nullptr;
};
/// `most` is the largest value that a problem may have.
template <class Problem>
constexpr Size<Problem> size(char letter, char const* name, std::int64_t Problem::* member, std::int64_t most) {
  return {{letter, name, most}, member};
}

/// A row-major matrix.
inline Operand matrix(int number, char const* name, Element element, std::int64_t rows, std::int64_t columns) {
  return {.number = number,
          .name = name,
          .shape = {.data = nullptr,
                    .element = element,
                    .rows = rows,
                    .columns = columns,
                    .row_stride = columns,
                    .column_stride = 1}};
}

/// A row-major output, which has no number.
inline Operand matrix(char const* name, Element element, std::int64_t rows, std::int64_t columns) {
  return matrix(0, name, element, rows, columns);
}

template <class Operation>
std::unique_ptr<LineMath> make_line_math(typename Operation::Kernel::Problem const& problem,
                                         [[maybe_unused]] device::Backend& backend) {
#if defined(__CUDACC__)
  if (backend.name() == "cuda") return std::make_unique<CudaLineMath<Operation>>(problem, backend);
#else
  if (backend.name() != "cpu") {
    throw device::DeviceError(std::string(Operation::name) +
                                  ": its reference was compiled for the CPU only; build the " +
                                  "worker with perfcheck_add_worker(... BACKEND " + backend.name() + ")",
                              false);
  }
#endif
  return std::make_unique<HostLineMath<Operation>>(problem);
}

/// Adapts a problem of an operation to the kit.
template <class Operation>
class LineDefinitionOf final : public LineDefinition {
 public:
  using Kernel = typename Operation::Kernel;
  using Problem = typename Kernel::Problem;
  static_assert(std::is_trivially_copyable_v<Problem>, "device code takes a problem as it is");
  static constexpr bool kHasElements = requires { Operation::elements; };

  explicit LineDefinitionOf(LineText const& text) : text_(text) {
    for (std::size_t i = 0; i < text.sizes.size(); ++i) problem_.*Operation::sizes[i].member = text.sizes[i];
    if constexpr (kHasElements) problem_.element = *text.element;
  }

  std::vector<Operand> inputs() const override { return Operation::inputs(problem_); }
  Operand output() const override { return Operation::output(problem_); }
  bool hot() const override { return text_.hot; }
  std::size_t workspace_bytes(KernelInfo const& kernel) const override {
    return typed(kernel).workspace_bytes == nullptr ? 0 : typed(kernel).workspace_bytes(problem_);
  }
  std::unique_ptr<Launches> launches(KernelInfo const& kernel, Device& /*device*/, int /*most*/) const override {
    return make_launches(
        [problem = problem_](Buffers const& buffers) { return Operation::arguments(problem, buffers); },
        [launch = typed(kernel).launch](typename Kernel::Args const& args) { launch(args); });
  }

  LineText text() const override { return text_; }
  double flop() const override { return Operation::flop(problem_); }
  verify::Bound bound() const override { return Operation::bound(problem_); }
  LineChecks checks() const override {
    if constexpr (requires { Operation::checks(problem_); }) {
      return Operation::checks(problem_);
    } else {
      return {};
    }
  }
  Element element() const override {
    if constexpr (kHasElements) {
      return problem_.element;
    } else {
      return inputs().front().shape.element;
    }
  }
  bool concerns(KernelInfo const& kernel) const override {
    return kernel.typed != nullptr && (!kHasElements || typed(kernel).element == element());
  }
  Refusal refusal(KernelInfo const& kernel) const override {
    return typed(kernel).accepts == nullptr ? std::nullopt : typed(kernel).accepts(problem_);
  }
  std::unique_ptr<LineMath> make_math(device::Backend& backend) const override {
    return make_line_math<Operation>(problem_, backend);
  }

 private:
  static Kernel const& typed(KernelInfo const& kernel) { return *static_cast<Kernel const*>(kernel.typed); }

  LineText text_;
  Problem problem_;
};

template <class Operation>
std::unique_ptr<worker::Operation> make_line_operation_of(verify::MakeEngine make_engine) {
  static constexpr auto kSizes = [] {
    std::array<LineSize, Operation::sizes.size()> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = Operation::sizes[i];
    return sizes;
  }();
  LineGrammar grammar{.operation = Operation::name, .sizes = kSizes, .elements = {}};
  if constexpr (requires { Operation::elements; }) grammar.elements = Operation::elements;
  return make_line_operation(
      {.grammar = grammar,
       .define = [](LineText const& text) { return std::make_shared<LineDefinitionOf<Operation>>(text); },
       .make_engine = std::move(make_engine)});
}

}  // namespace perfcheck::kit

/// perfcheck_add_operation() defines this as the name that the worker's main file calls.
#ifndef PERFCHECK_MAKE_OPERATION
#define PERFCHECK_MAKE_OPERATION perfcheck_make_operation
#endif

/// The last statement of an operation's source, outside of any namespace.
#define PERFCHECK_OPERATION(Described)                                                                               \
  std::unique_ptr<::perfcheck::worker::Operation> PERFCHECK_MAKE_OPERATION(::perfcheck::verify::MakeEngine engine);  \
  std::unique_ptr<::perfcheck::worker::Operation> PERFCHECK_MAKE_OPERATION(::perfcheck::verify::MakeEngine engine) { \
    return ::perfcheck::kit::make_line_operation_of<Described>(std::move(engine));                                   \
  }                                                                                                                  \
  static_assert(true)
