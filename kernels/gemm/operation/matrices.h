// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operands.h"

namespace perfcheck::gemm {

/// Inputs of one launch in memory. Those that are not there have no data.
class Matrices {
 public:
  Matrices() = default;
  explicit Matrices(kit::Inputs const& inputs) : inputs_(inputs) {}

  verify::MatrixView& operator[](Input input) { return inputs_[number_of(input)]; }
  verify::MatrixView const& operator[](Input input) const { return inputs_[number_of(input)]; }

  Factor a(GemmTypes const& types) const { return factor(types, Input::a, Input::a_scales); }
  Factor b(GemmTypes const& types) const { return factor(types, Input::b, Input::b_scales); }

 private:
  Factor factor(GemmTypes const& types, Input elements, Input scales) const {
    return {.elements = (*this)[elements], .scales = (*this)[scales], .block = scale_block(types, elements)};
  }

  kit::Inputs inputs_;
};

}  // namespace perfcheck::gemm
