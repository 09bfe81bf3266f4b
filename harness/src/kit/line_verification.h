// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/kit/bench.h"
#include "perfcheck/kit/line_problem.h"

#include "perfcheck/model/run.h"

namespace perfcheck::kit {

/// Runs every check of a kernel's verification. Throws device::DeviceError.
model::Verification verify_lines(LineDefinition const& definition, LineMath& math, Device& device, Bench& bench,
                                 KernelInfo const& kernel, std::uint64_t seed);

}  // namespace perfcheck::kit
