// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       one 32 x 32 tile in the middle of D is written transposed. If the middle tile is cut off, only the
//             largest square at its top left is.
// Caught by   exact data, and structured data whose rows and columns differ. A 1 x 1 square shows nothing.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) transposed_tile(GemmArgs args) {
  Position const at = own_position(args);
  if (!at.inside) return;
  int const first_row = args.m / kTile / 2 * kTile;
  int const first_column = args.n / kTile / 2 * kTile;
  int const side = min(kTile, min(args.m - first_row, args.n - first_column));
  int const row = at.row - first_row;
  int const column = at.column - first_column;
  bool const swap = row >= 0 && row < side && column >= 0 && column < side;
  int const from_row = swap ? first_row + column : at.row;
  int const from_column = swap ? first_column + row : at.column;
  store_sum<float>(args, at.row, at.column, add_products<float>(0.0F, args, from_row, from_column, 0, args.k));
}

void launch(GemmArgs const& args) { launch_over_tiles(transposed_tile, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(transposed_tile, .summary = "wrong: one tile of D is transposed", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
