// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// FP64 products in plain C++, independent of every library that is itself measured. Cache-blocked and, where the CPU
// has it, compiled for AVX2: in a CPU run, verification spends most of its time here.
#include "product.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfcheck::gemm {
namespace {

constexpr std::int64_t kRows = 4, kColumns = 8;  ///< of the tile that is kept in registers
constexpr std::int64_t kDepth = 256;             ///< of the panels that are multiplied at a time

std::int64_t panels(std::int64_t size, std::int64_t width) { return (size + width - 1) / width; }

double element(Factor const& factor, std::int64_t row, std::int64_t column, bool absolute) {
  double const value = factor.at(row, column);
  return absolute ? std::fabs(value) : value;
}

/// sum(kRows, kColumns) += a(depth, kRows)^T * b(depth, kColumns), all with contiguous rows.
inline __attribute__((always_inline)) void multiply_tile_inline(double const* a, double const* b, std::int64_t depth,
                                                                double* sum) {
  double tile[kRows][kColumns];
  std::copy_n(sum, kRows * kColumns, &tile[0][0]);
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (std::int64_t column = 0; column < kColumns; ++column) {
        tile[row][column] += a[k * kRows + row] * b[k * kColumns + column];
      }
    }
  }
  std::copy_n(&tile[0][0], kRows * kColumns, sum);
}

using MultiplyTile = void (*)(double const* a, double const* b, std::int64_t depth, double* sum);

void multiply_tile(double const* a, double const* b, std::int64_t depth, double* sum) {
  multiply_tile_inline(a, b, depth, sum);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma"))) void multiply_tile_avx2(double const* a, double const* b, std::int64_t depth,
                                                            double* sum) {
  multiply_tile_inline(a, b, depth, sum);
}

MultiplyTile best_multiply_tile() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? multiply_tile_avx2 : multiply_tile;
}
#else
MultiplyTile best_multiply_tile() { return multiply_tile; }
#endif

/// Copies part of a into panels of kRows rows and part of b into panels of kColumns columns, filled up with zeros.
void pack(Factor const& a, Factor const& b, std::int64_t first, std::int64_t depth, bool absolute,
          std::vector<double>& a_panels, std::vector<double>& b_panels) {
  std::fill(a_panels.begin(), a_panels.end(), 0.0);
  std::fill(b_panels.begin(), b_panels.end(), 0.0);
  for (std::int64_t row = 0; row < a.elements.rows; ++row) {
    double* const panel = a_panels.data() + row / kRows * kRows * kDepth + row % kRows;
    for (std::int64_t k = 0; k < depth; ++k) {
      panel[k * kRows] = element(a, row, first + k, absolute);
    }
  }
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t column = 0; column < b.elements.columns; ++column) {
      b_panels[static_cast<std::size_t>((column / kColumns * kDepth + k) * kColumns + column % kColumns)] =
          element(b, first + k, column, absolute);
    }
  }
}

/// Sums of the products, as tiles of kRows x kColumns, row of tiles by row of tiles.
std::vector<double> tiles_of_product(Factor const& a, Factor const& b, bool absolute) {
  std::int64_t const tile_rows = panels(a.elements.rows, kRows);
  std::int64_t const tile_columns = panels(b.elements.columns, kColumns);
  std::vector<double> a_panels(static_cast<std::size_t>(tile_rows * kRows * kDepth));
  std::vector<double> b_panels(static_cast<std::size_t>(tile_columns * kColumns * kDepth));
  std::vector<double> tiles(static_cast<std::size_t>(tile_rows * tile_columns * kRows * kColumns));
  MultiplyTile const multiply = best_multiply_tile();
  for (std::int64_t first = 0; first < a.elements.columns; first += kDepth) {
    std::int64_t const depth = std::min(kDepth, a.elements.columns - first);
    pack(a, b, first, depth, absolute, a_panels, b_panels);
    for (std::int64_t tile_row = 0; tile_row < tile_rows; ++tile_row) {
      for (std::int64_t tile_column = 0; tile_column < tile_columns; ++tile_column) {
        multiply(a_panels.data() + tile_row * kRows * kDepth, b_panels.data() + tile_column * kColumns * kDepth, depth,
                 tiles.data() + (tile_row * tile_columns + tile_column) * kRows * kColumns);
      }
    }
  }
  return tiles;
}

template <class T>
void untile(std::vector<double> const& tiles, std::int64_t rows, std::int64_t columns, T* out) {
  std::int64_t const tile_columns = panels(columns, kColumns);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      std::int64_t const tile = row / kRows * tile_columns + column / kColumns;
      std::int64_t const at = (tile * kRows + row % kRows) * kColumns + column % kColumns;
      out[row * columns + column] = static_cast<T>(tiles[static_cast<std::size_t>(at)]);
    }
  }
}

class HostProductEngine final : public ProductEngine {
 public:
  void multiply(Factor const& a, Factor const& b, RowParts const& parts, double* product, float* scale) override {
    for (int part = 0; part < parts.count; ++part) {
      auto const [left, right] = pair_of(a, b, parts, part);
      std::int64_t const rows = left.elements.rows, columns = right.elements.columns, first = parts.first(part);
      untile(tiles_of_product(left, right, false), rows, columns, product + first * columns);
      if (scale == nullptr) continue;
      untile(tiles_of_product(left, right, true), rows, columns, scale + first * columns);
    }
  }
};

}  // namespace

std::unique_ptr<ProductEngine> make_host_product_engine() { return std::make_unique<HostProductEngine>(); }

}  // namespace perfcheck::gemm
