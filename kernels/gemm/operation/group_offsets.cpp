// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "group_offsets.h"

#include "state.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace perfcheck::gemm {

void GroupOffsets::place(GemmDevice& device, GemmProblem const& problem) {
  placed_.clear();
  if (problem.groups.empty()) return;
  placed_.push_back(0);
  std::partial_sum(problem.groups.begin(), problem.groups.end(), std::back_inserter(placed_));
  auto const count = static_cast<std::int64_t>(placed_.size());
  auto const at = buffer_.place(
      device.backend, *device.engine,
      {.data = nullptr, .element = Element::s32, .rows = 1, .columns = count, .row_stride = count, .column_stride = 1});
  device.backend.copy_to_device(at.data, placed_.data(), buffer_.content_bytes());
}

void GroupOffsets::give(GemmFullArgs& args) const {
  args.group_offsets = placed_.empty() ? nullptr : static_cast<std::int32_t const*>(buffer_.matrix().data);
}

std::string GroupOffsets::damage_around(verify::Engine& engine) const {
  return placed_.empty() ? "" : buffer_.damage_around(engine);
}

std::string GroupOffsets::change(device::Backend& backend) const {
  if (placed_.empty()) return "";
  std::vector<std::int32_t> now(placed_.size());
  backend.copy_to_host(now.data(), buffer_.matrix().data, buffer_.content_bytes());
  auto const [was, is] = std::mismatch(placed_.begin(), placed_.end(), now.begin());
  if (was == placed_.end()) return "";
  return fmt::format("the group offsets changed, first number {}: was {}, is {}", was - placed_.begin(), *was, *is);
}

}  // namespace perfcheck::gemm
