// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/device/backend.h"

#include <cstddef>

namespace perfcheck::kit {

/// Workspaces that launches use in turn. There are several, as of the inputs: they hold partial sums of a split k, and
/// their place in memory is a matter of chance too (worker::kPlaces).
class Workspaces {
 public:
  /// Allocates as many workspaces of `bytes` as fit into an eighth of the free memory, at least one and at most `most`
  /// and kPlaces; none if `bytes` is 0. Throws device::DeviceError.
  Workspaces(device::Backend& backend, std::size_t bytes, int most);

  int count() const { return count_; }
  std::size_t bytes() const { return bytes_; }  ///< of one
  /// Bytes from one workspace to the next.
  std::size_t stride() const;
  /// The workspace for a launch on this set of buffers; null if there is none.
  void* of(int set) const;

 private:
  std::size_t bytes_ = 0;
  int count_ = 0;
  device::Memory memory_;
};

}  // namespace perfcheck::kit
