// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       runs for ever.
// Caught by   the session's watchdog.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <chrono>
#include <thread>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& /*args*/) {
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace

PERFCHECK_GEMM_KERNEL(never_returns, .summary = "wrong: runs for ever", .types = GemmTypes::f32, .launch = launch);
