// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace perfcheck {

/// A number that others are divided by on the device, known when the kernel is launched: a division takes about a
/// hundred cycles there, a multiplication by the inverse five.
class Divisor {
 public:
  Divisor() = default;  // divides by 1
  /// Of numbers from 0 to `most`. The inverse, rounded up to 32 bits behind the point, is less than 2^-32 too large, so
  /// the quotient is right as long as by * most < 2^32 (Granlund and Montgomery, 1994); otherwise numbers are divided.
  __host__ __device__ constexpr Divisor(int by, int64_t most)
      : by_(by),
        inverse_(by > 1 && by * most < int64_t{1} << 32 ? static_cast<uint32_t>(((int64_t{1} << 32) - 1) / by + 1)
                                                        : 0) {}

  __host__ __device__ __forceinline__ constexpr int quotient(int number) const {
    if (inverse_ == 0) return number / by_;
    return static_cast<int>(static_cast<uint64_t>(static_cast<uint32_t>(number)) * inverse_ >> 32);
  }

 private:
  int by_ = 1;
  uint32_t inverse_ = 0;  // 2^32 / by_, rounded up; 0: unknown
};

}  // namespace perfcheck
