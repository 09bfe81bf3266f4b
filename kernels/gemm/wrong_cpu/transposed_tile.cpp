// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the first 16 x 16 tile of D is written transposed.
// Caught by   exact data.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <utility>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  write_correct_d(args);
  int const side = std::min({kTile, args.m, args.n});
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < row; ++column) {
      std::swap(d_row(args, row)[column], d_row(args, column)[row]);
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(transposed_tile, .summary = "wrong: transposes a tile", .types = GemmTypes::f32,
                      .launch = launch);
