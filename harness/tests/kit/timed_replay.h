// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/worker/operation.h"

#include <cstdint>
#include <set>
#include <string>

namespace perfcheck {

/// Replays `launches` launches except those in `left_out`; returns what the comparison finds.
inline std::string replay(worker::TimedCase& timed, int launches, std::uint64_t secret,
                          std::set<int> const& left_out = {}) {
  timed.renew({0, launches}, secret);
  for (int set = 0; set < launches; ++set) {
    if (!left_out.contains(set)) timed.launch(set);
  }
  timed.compare(launches, secret, secret + 1);
  return timed.finding();
}

}  // namespace perfcheck
