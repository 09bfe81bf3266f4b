// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       one thread stores to an address that is never mapped, which makes the context unusable.
// Caught by   the error of the next synchronising call; the worker is lost.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

constexpr std::uintptr_t kUnmapped = 16;

__global__ void __launch_bounds__(kTile* kTile) illegal_address(GemmArgs args) {
  Position const at = own_position(args);
  compute_element(args, at);
  // Volatile, and not null: the compiler may not assume anything about the store.
  if (at.row == 0 && at.column == 0) *reinterpret_cast<float volatile*>(kUnmapped) = 1.0F;
}

void launch(GemmArgs const& args) { launch_over_tiles(illegal_address, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(illegal_address, .summary = "wrong: stores to an illegal address", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
