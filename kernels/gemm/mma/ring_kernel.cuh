// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a row of types and a point of a space to a registered kernel, once for all kernels of the ring.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>

#include "ring_shape.cuh"
#include "ring_types.cuh"

namespace perfcheck::mma {

/// Launches `Launch<Variant>::launch(args)` for the layout of B.
template <template <class> class Launch, class Row, class Shapes, int kPoint>
void launch_layout(GemmArgs const& args) {
  if (args.b_layout == BLayout::row_major) {
    Launch<Variant<Row, Shapes, kPoint, BLayout::row_major>>::launch(args);
  } else {
    Launch<Variant<Row, Shapes, kPoint, BLayout::column_major>>::launch(args);
  }
}

/// The shapes of `Shapes` that can hold a row-major B of `In`: its boxes are as wide as a stage is deep.
template <class Shapes, class In>
struct ShapesFor {
  static constexpr bool fits(Shape const& shape) { return shape.tile_n % kLineK<In> == 0; }
  static constexpr int kCount = std::count_if(std::begin(Shapes::kShapes), std::end(Shapes::kShapes), fits);
  static constexpr std::array<Shape, kCount> kShapes = [] {
    std::array<Shape, kCount> shapes;
    std::copy_if(std::begin(Shapes::kShapes), std::end(Shapes::kShapes), shapes.begin(), fits);
    return shapes;
  }();
};

}  // namespace perfcheck::mma
