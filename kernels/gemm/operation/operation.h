// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state.h"

#include "perfcheck/worker/operation.h"

namespace perfcheck::gemm {

/// The operation, on devices that `make` can make.
std::unique_ptr<worker::Operation> make_operation(GemmDevices::Make make);
/// The CPU's engines. Throws device::DeviceError for another backend.
std::unique_ptr<GemmDevice> make_host_device(device::Backend& backend);

}  // namespace perfcheck::gemm
