// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy counter as NVML tells it, from a library that is made up (made_up_nvml.cpp).
#include "nvml_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace perfcheck::device {
namespace {

TEST(NvmlEnergy, IsTheCounterInMillijoules) {
  (void)::setenv("MADE_UP_ENERGY", "123456789012345", 1);
  Nvml const nvml("00000000:01:00.0");
  ASSERT_EQ(nvml.unavailable(), "");
  EXPECT_EQ(nvml.energy_mj(), 123456789012345U);
}

TEST(NvmlEnergy, ADeviceWithoutACounterIsAnErrorAndNoNumber) {
  (void)::unsetenv("MADE_UP_ENERGY");
  Nvml const nvml("00000000:01:00.0");
  ASSERT_EQ(nvml.unavailable(), "");
  try {
    (void)nvml.energy_mj();
    ADD_FAILURE() << "a number";
  } catch (std::runtime_error const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("energy counter cannot be read: Not Supported"));
  }
}

}  // namespace
}  // namespace perfcheck::device
