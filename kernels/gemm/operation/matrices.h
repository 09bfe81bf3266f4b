// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operands.h"

#include <array>

namespace perfcheck::gemm {

/// Inputs of one launch in memory. Those that are not there have no data.
class Matrices {
 public:
  verify::MatrixView& operator[](Input input) { return views_[static_cast<std::size_t>(input)]; }
  verify::MatrixView const& operator[](Input input) const { return views_[static_cast<std::size_t>(input)]; }

  Factor a(GemmTypes const& types) const { return factor(types, Input::a, Input::a_scales); }
  Factor b(GemmTypes const& types) const { return factor(types, Input::b, Input::b_scales); }

 private:
  Factor factor(GemmTypes const& types, Input elements, Input scales) const {
    return {.elements = (*this)[elements], .scales = (*this)[scales], .block = scale_block(types, elements)};
  }

  std::array<verify::MatrixView, kInputs> views_;
};

}  // namespace perfcheck::gemm
