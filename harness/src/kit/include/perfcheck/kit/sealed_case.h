// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Both sides of sealed timing for operations of the kit.
#pragma once

#include "perfcheck/kit/timed_inputs.h"

#include "perfcheck/worker/sealed_case.h"

#include <memory>

namespace perfcheck::kit {

/// `kernel` may be null. The device must outlive the results. Both functions throw device::DeviceError.
std::unique_ptr<worker::SealedCase> make_sealed_case(std::shared_ptr<Definition const> definition, Device& device,
                                                     KernelInfo const* kernel);
std::unique_ptr<worker::SealedProof> make_sealed_proof(std::shared_ptr<Definition const> definition, Device& device,
                                                       std::shared_ptr<Proof> proof);

}  // namespace perfcheck::kit
