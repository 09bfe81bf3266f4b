// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The type-erased form of an operation that lines.h makes.
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

/// A size in an operation's problem text, such as r4096: its letter, its name in tables, and its maximum.
struct LineSize {
  char letter = 'n';
  char const* name = "";
  std::int64_t most = 1;
};

/// The content of a problem's text, such as f16,r4096c1000,hot. The element is present only if the operation has
/// several.
struct LineText {
  std::optional<Element> element;
  std::vector<std::int64_t> sizes;
  bool hot = false;
};

/// The format of an operation's problem texts.
struct LineGrammar {
  std::string_view operation;
  std::span<LineSize const> sizes;
  std::span<Element const> elements;  ///< empty if there is only one
};

std::string to_text(LineGrammar const& grammar, LineText const& text);
/// Throws std::invalid_argument that names the wrong part and what is allowed there.
LineText parse_line_text(LineGrammar const& grammar, std::string_view text);

/// The data on which kernels are verified, as far as it depends on the operation.
struct LineChecks {
  /// With integers of up to this magnitude, results are exact whatever the order of operations, so they must be equal
  /// to the reference. 0: there is no such magnitude.
  std::uint32_t exact_integers = 0;
  /// Rows may be up to 2^exponents above or below the others; 0 leaves such data out.
  std::uint32_t exponents = 8;
  /// Whether to check NaN and infinity in single elements: true if the reference is right for them.
  bool special_values = true;
  /// Whether to check gaps between rows: true if kernels are passed row strides.
  bool strides = true;
};

/// One problem of an operation, with everything that depends on the operation's types behind virtual functions.
class LineDefinition : public Definition {
 public:
  virtual LineText text() const = 0;
  virtual double flop() const = 0;
  virtual verify::Bound bound() const = 0;
  virtual LineChecks checks() const = 0;
  virtual Element element() const = 0;
  /// Whether a kernel of this operation is for the problem's element type.
  virtual bool concerns(KernelInfo const& kernel) const = 0;
  virtual Refusal refusal(KernelInfo const& kernel) const = 0;
  virtual std::unique_ptr<LineMath> make_math(device::Backend& backend) const = 0;
};

/// A type-erased operation. `define` throws std::invalid_argument if sizes do not fit together.
struct LineOperation {
  LineGrammar grammar;
  std::function<std::shared_ptr<LineDefinition>(LineText const&)> define;
  verify::MakeEngine make_engine;
};
std::unique_ptr<worker::Operation> make_line_operation(LineOperation operation);

}  // namespace perfcheck::kit
