// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <perfcheck/divisor.cuh>

#include <gtest/gtest.h>

#include <cstdint>

namespace perfcheck {
namespace {

TEST(Divisor, DividesAsTheOperatorDoes) {
  for (int const by : {1, 2, 3, 7, 8, 24, 88, 344, 1000, 4095, 4096, 4097, 46341, 65535, 65536}) {
    int64_t const most = (int64_t{1} << 32) / by - 1;
    Divisor const divisor(by, most);
    for (int64_t const near : {int64_t{0}, int64_t{by}, most / 2 / by * by, most / by * by}) {
      for (int64_t number = near - 2; number <= near + 2; ++number) {
        if (number < 0 || number > most || number > INT32_MAX) continue;
        EXPECT_EQ(divisor.quotient(static_cast<int>(number)), number / by) << number << " / " << by;
      }
    }
  }
}

TEST(Divisor, DividesNumbersTooLargeForTheInverseAsWell) {
  Divisor const divisor(65537, INT32_MAX);
  for (int const number : {0, 65536, 65537, 131073, 131074, INT32_MAX - 1, INT32_MAX}) {
    EXPECT_EQ(divisor.quotient(number), number / 65537) << number;
  }
}

}  // namespace
}  // namespace perfcheck
