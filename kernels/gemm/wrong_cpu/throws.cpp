// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       throws an exception.
// Caught by   the worker, which reports the case as failed and lives on.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <stdexcept>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& /*args*/) { throw std::runtime_error("this kernel always throws"); }

}  // namespace

PERFCHECK_GEMM_KERNEL(throws, .summary = "wrong: throws", .types = GemmTypes::f32, .launch = launch);
