// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the last 16 x 16 tile of D is not written.
// Caught by   poison that is still in D.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  int const last_row = (args.m - 1) / kTile * kTile;
  int const last_column = (args.n - 1) / kTile * kTile;
  for (int row = 0; row < args.m; ++row) {
    int const columns = row < last_row ? args.n : last_column;
    for (int column = 0; column < columns; ++column) {
      d_row(args, row)[column] = finished(args, row, column, sum_of_products(args, row, column, 0, args.k));
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(last_tile_unwritten, .summary = "wrong: leaves out the last tile", .types = GemmTypes::f32,
                      .launch = launch);
