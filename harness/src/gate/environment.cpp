// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "environment.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gate {
namespace {

// One control moves when a library's launches lie elsewhere in memory; a machine moves many of them.
constexpr std::size_t kFewestControls = 8;
constexpr double kMovedShare = 0.2;

/// Why one card is not what it was; empty when it is.
std::string card_moved(std::string const& card, std::vector<Evidence> const& evidence,
                       std::vector<Statements> const& statements, Policy const& policy) {
  std::size_t controls = 0, slower = 0, faster = 0;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    std::optional<Comparison> const& screen = statements[i].screen[statements[i].roles.primary];
    if (evidence[i].card != card || evidence[i].control == Control::no || !screen) {
      continue;
    }
    double const limit = limit_of(evidence[i], *screen);
    ++controls;
    slower += screen->p_above(limit, +1) < policy.screen_alpha ? 1 : 0;
    faster += screen->p_above(limit, -1) < policy.screen_alpha ? 1 : 0;
  }
  std::size_t const moved = std::max(slower, faster);
  if (controls < kFewestControls || static_cast<double>(moved) < kMovedShare * static_cast<double>(controls)) {
    return "";
  }
  return fmt::format(
      "{} of {} controls, cases that no commit can have changed, became {} by more than may be: the machine is not "
      "what "
      "it was for the baseline (clocks, memory, driver, other users: perfcheck doctor); check again when it is, or "
      "accept a new baseline",
      moved, controls, slower >= faster ? "slower" : "faster");
}

}  // namespace

std::map<std::string, std::string> environment_moved(std::vector<Evidence> const& evidence,
                                                     std::vector<Statements> const& statements, Policy const& policy) {
  std::map<std::string, std::string> moved;
  if (policy.shared_device) {
    return moved;  // neighbours come and go while it runs: each case's own reference tells when they were there
  }
  for (Evidence const& one : evidence) {
    moved.try_emplace(one.card);
  }
  for (auto& [card, why] : moved) {
    why = card_moved(card, evidence, statements, policy);
  }
  std::erase_if(moved, [](auto const& entry) { return entry.second.empty(); });
  return moved;
}

}  // namespace perfcheck::gate
