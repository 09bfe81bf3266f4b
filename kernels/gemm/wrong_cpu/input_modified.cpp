// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       adds 2 to one element of B.
// Caught by   fingerprints of the inputs.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  write_correct_d(args);
  auto* const b = static_cast<float*>(const_cast<void*>(args.b));
  b[args.b_layout == BLayout::column_major ? args.k - 1 : args.n - 1] += 2.0F;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(input_modified, .summary = "wrong: changes an element of B", .types = GemmTypes::f32,
                      .launch = launch);
