// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation row_sum as a worker sees it.
#pragma once

#include <perfcheck/verify/engine.h>
#include <perfcheck/worker/operation.h>

#include <memory>

namespace row_sum {

/// @param make_engine what fills, fingerprints and compares matrices where the worker's backend keeps them
std::unique_ptr<perfcheck::worker::Operation> make_operation(perfcheck::verify::MakeEngine make_engine);

}  // namespace row_sum
