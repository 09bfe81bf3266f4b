// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       ends its process with SIGABRT.
// Caught by   the session, which sees its worker die.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <cstdlib>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& /*args*/) { std::abort(); }

}  // namespace

PERFCHECK_GEMM_KERNEL(aborts, .summary = "wrong: aborts", .types = GemmTypes::f32, .launch = launch);
