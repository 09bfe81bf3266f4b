// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       asks for more workspace than any machine has.
// Caught by   the allocation, which fails; the worker lives on.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

std::size_t workspace_bytes(GemmProblem const& /*problem*/) { return std::size_t{1} << 50U; }

void launch(GemmArgs const& args) { write_correct_d(args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(exhausts_memory, .summary = "wrong: asks for a pebibyte of workspace", .types = GemmTypes::f32,
                      .workspace_bytes = workspace_bytes, .launch = launch);
