// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       writes one element past the end of D.
// Caught by   the guard band behind D.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  write_correct_d(args);
  d_row(args, args.m - 1)[args.n] = 1.0F;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(write_past_end, .summary = "wrong: writes past the end of D", .types = GemmTypes::f32,
                      .launch = launch);
