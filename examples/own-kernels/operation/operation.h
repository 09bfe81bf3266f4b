// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation row_sum as a worker sees it.
#pragma once

#include "verify/engine.h"
#include "worker/operation.h"

#include <functional>
#include <memory>

namespace row_sum {

/// Makes what fills, fingerprints and compares matrices where a backend keeps them.
using MakeEngine = std::function<std::unique_ptr<perfcheck::verify::Engine>(perfcheck::device::Backend&)>;

std::unique_ptr<perfcheck::worker::Operation> make_operation(MakeEngine make_engine);

}  // namespace row_sum
