// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "perfcheck/gate/confirm.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace perfcheck::calibrate {
std::vector<std::size_t> confirming(std::size_t screen, std::size_t sessions, int wanted) {
  if (sessions < static_cast<std::size_t>(wanted) + 1) {
    throw std::invalid_argument(
        fmt::format("a block of {} sessions cannot confirm in {}; measure blocks of {}", sessions, wanted, wanted + 1));
  }
  std::vector<std::size_t> indices;
  for (int i = 1; i <= wanted; ++i) {
    indices.push_back((screen + static_cast<std::size_t>(i)) % sessions);
  }
  return indices;
}

Check check(model::Baseline const& baseline, gate::Observations const& frame, std::vector<Results> const& results,
            std::size_t screen, gate::Policy const& policy) {
  gate::Observations seen{.places = frame.places, .cases = {}};
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].empty()) {
      gate::Observation one = frame.cases[i];
      one.screen = {results[i][screen]};
      seen.cases.push_back(std::move(one));
      from.push_back(i);
    }
  }
  Check result;
  result.decisions = gate::decide(&baseline, seen, {}, policy);
  result.flagged = gate::wanting(result.decisions);
  result.decisions = gate::confirm(
      std::move(result.decisions), policy.looks(false),
      [&](std::set<std::string> const& ids, int, int sessions) {
        for (std::size_t i = 0; i < seen.cases.size(); ++i) {
          if (!ids.contains(seen.cases[i].id)) continue;
          Results const& all = results[from[i]];
          seen.cases[i].confirm.clear();
          for (std::size_t const session : confirming(screen, all.size(), sessions)) {
            seen.cases[i].confirm.push_back(all[session]);
          }
        }
      },
      [&](gate::Look look) {
        seen.look = look;
        return gate::decide(&baseline, seen, {}, policy);
      });
  return result;
}

}  // namespace perfcheck::calibrate
