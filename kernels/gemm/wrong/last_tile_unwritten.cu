// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       the last 32 x 32 tile of D is never written. A D of one tile stays unwritten altogether.
// Caught by   poisoned output: elements that still hold the poison are not the product.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) last_tile_unwritten(GemmArgs args) {
  Position const at = own_position(args);
  if (at.in_tile((args.m - 1) / kTile, (args.n - 1) / kTile)) return;
  compute_element(args, at);
}

void launch(GemmArgs const& args) { launch_over_tiles(last_tile_unwritten, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(last_tile_unwritten, .summary = "wrong: the last tile of D is never written",
                      .types = GemmTypes::f32, .arch = any_arch(), .launch = launch);
