// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       once D is computed, the last element of A is replaced by the next larger bit pattern.
// Caught by   the check that inputs are untouched; D itself is right.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void modify_last_element_of_a(GemmArgs args) {
  auto const* bits = static_cast<unsigned const*>(args.a) + (args.m - 1) * args.lda + args.k - 1;
  ++*const_cast<unsigned*>(bits);
}

__global__ void __launch_bounds__(kTile* kTile) input_modified(GemmArgs args) {
  compute_element(args, own_position(args));
}

void launch(GemmArgs const& args) {
  launch_over_tiles(input_modified, args);
  modify_last_element_of_a<<<1, 1, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(input_modified, .summary = "wrong: changes an element of A", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
