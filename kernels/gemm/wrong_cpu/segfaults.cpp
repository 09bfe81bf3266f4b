// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       ends its process with SIGSEGV.
// Caught by   the session, which sees its worker die.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  auto* volatile nowhere = static_cast<float*>(nullptr);
  *nowhere = args.alpha;
}

}  // namespace

PERFCHECK_GEMM_KERNEL(segfaults, .summary = "wrong: follows a null pointer", .types = GemmTypes::f32, .launch = launch);
