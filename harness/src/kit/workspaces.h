// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/device/backend.h"

#include <cstddef>

namespace perfcheck::kit {

/// Workspaces that launches use in turn. Several, like the inputs: they hold partial sums of a split k, and their place
/// in memory is chance as well (worker::kPlaces).
class Workspaces {
 public:
  /// Allocates as many of `bytes` as an eighth of the free memory holds, at most `most` and kPlaces; none where `bytes`
  /// is 0. Throws device::DeviceError.
  Workspaces(device::Backend& backend, std::size_t bytes, int most);

  int count() const { return count_; }
  std::size_t bytes() const { return bytes_; }  ///< of one
  /// From one to the next.
  std::size_t stride() const;
  /// For the launch on this set of buffers; null where there is none.
  void* of(int set) const;

 private:
  std::size_t bytes_ = 0;
  int count_ = 0;
  device::Memory memory_;
};

}  // namespace perfcheck::kit
