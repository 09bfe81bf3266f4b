// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "workspaces.h"

#include "perfcheck/kit/definition.h"

#include "perfcheck/worker/operation.h"

#include <algorithm>

namespace perfcheck::kit {

Workspaces::Workspaces(device::Backend& backend, std::size_t bytes, int most) : bytes_(bytes) {
  if (bytes == 0) return;
  std::size_t const fitting = std::min<std::size_t>(worker::kPlaces, backend.free_bytes() / 8 / stride());
  count_ = std::max(1, std::min(static_cast<int>(fitting), most));
  memory_ = backend.allocate(static_cast<std::size_t>(count_) * stride());
}

std::size_t Workspaces::stride() const { return aligned_bytes(bytes_); }

void* Workspaces::of(int set) const {
  return count_ == 0 ? nullptr : memory_.bytes_at(static_cast<std::size_t>(set % count_) * stride());
}

}  // namespace perfcheck::kit
