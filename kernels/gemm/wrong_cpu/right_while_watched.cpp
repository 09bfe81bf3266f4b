// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       after its first 100 launches it writes nothing.
// Caught by   the check of the outputs that timed launches leave.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  static int launches = 0;
  if (++launches <= 100) write_correct_d(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(right_while_watched, .summary = "wrong: stops working after 100 launches",
                      .types = GemmTypes::f32, .launch = launch);
