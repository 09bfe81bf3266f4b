// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/kit/timed_inputs.h"

#include "perfcheck/worker/operation.h"

#include <memory>

namespace perfcheck::kit {

/// Buffers for timed launches of one kernel. Inputs are shared with the problem's other kernels; outputs are its own.
/// The device must outlive the result. Throws device::DeviceError.
std::unique_ptr<worker::TimedCase> make_timed_case(std::shared_ptr<Definition const> definition, Device& device,
                                                   std::shared_ptr<TimedInputs> inputs, std::shared_ptr<Proof> proof,
                                                   KernelInfo const& kernel);

}  // namespace perfcheck::kit
