// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gemm_test.h"

#include "perfcheck/verify/engine.h"
#include "perfcheck/worker/operation.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>

// perfcheck_add_operation() makes the operations' sources define these functions.
std::unique_ptr<perfcheck::worker::Operation> perfcheck_make_operation_of_perfcheck_softmax(
    perfcheck::verify::MakeEngine engine);
std::unique_ptr<perfcheck::worker::Operation> perfcheck_make_operation_of_perfcheck_turned(
    perfcheck::verify::MakeEngine engine);

namespace perfcheck {

/// Both operations, and the CPU backend.
class KitTest : public testing::Test {
 protected:
  std::unique_ptr<worker::Operation> softmax_ = perfcheck_make_operation_of_perfcheck_softmax(host_engine);
  std::unique_ptr<worker::Operation> turned_ = perfcheck_make_operation_of_perfcheck_turned(host_engine);
  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();

 private:
  static std::unique_ptr<verify::Engine> host_engine(device::Backend& /*backend*/) {
    return verify::make_host_engine();
  }
};

}  // namespace perfcheck
