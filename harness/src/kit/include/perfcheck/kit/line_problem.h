// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What lines.h makes of an operation, without its types.
#pragma once

#include "perfcheck/kit/line_math.h"

#include "perfcheck/worker/operation.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::kit {

/// A size in an operation's problem text, as r4096: its letter, what tables call it, and how large it may be.
struct LineSize {
  char letter = 'n';
  char const* name = "";
  std::int64_t most = 1;
};

/// What a problem's text says: f16,r4096c1000,hot. The element is there only where the operation has several.
struct LineText {
  std::optional<Element> element;
  std::vector<std::int64_t> sizes;
  bool hot = false;
};

/// How an operation's texts look.
struct LineGrammar {
  std::string_view operation;
  std::span<LineSize const> sizes;
  std::span<Element const> elements;  ///< empty where there is one
};

std::string to_text(LineGrammar const& grammar, LineText const& text);
/// Throws std::invalid_argument that names the part that is wrong and what may stand there.
LineText parse_line_text(LineGrammar const& grammar, std::string_view text);

/// Which data kernels are tried on, where it is not the same for all operations.
struct LineChecks {
  /// Integers of up to this magnitude give exact results in any order of operations, which must be equal. 0: none do.
  std::uint32_t exact_integers = 0;
  /// A row may be as much as 2^exponents above or below the others; 0 leaves such data out.
  std::uint32_t exponents = 8;
  /// NaN and infinity in one element are data like any other, for which the reference is right.
  bool special_values = true;
  /// Kernels are given the strides of rows: gaps between rows are tried too.
  bool strides = true;
};

/// One problem of an operation, with everything that depends on its types behind virtual functions.
class LineDefinition : public Definition {
 public:
  virtual LineText text() const = 0;
  virtual double flop() const = 0;
  virtual verify::Bound bound() const = 0;
  virtual LineChecks checks() const = 0;
  virtual Element element() const = 0;
  /// Whether the kernel, one of this operation, is for the problem's element.
  virtual bool concerns(KernelInfo const& kernel) const = 0;
  virtual Refusal refusal(KernelInfo const& kernel) const = 0;
  virtual std::unique_ptr<LineMath> make_math(device::Backend& backend) const = 0;
};

/// An operation without its types. `define` throws std::invalid_argument where sizes do not fit together.
struct LineOperation {
  LineGrammar grammar;
  std::function<std::shared_ptr<LineDefinition>(LineText const&)> define;
  verify::MakeEngine make_engine;
};
std::unique_ptr<worker::Operation> make_line_operation(LineOperation operation);

}  // namespace perfcheck::kit
