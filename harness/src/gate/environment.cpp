// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "environment.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gate {
namespace {

// A single control may move because a library's buffers lie elsewhere in memory; a change of the machine moves many.
constexpr std::size_t kFewestControls = 8;
constexpr double kMovedShare = 0.2;

/// Logarithms of the reference's cost: those of the case's cost minus those of the ratio.
std::vector<double> without(std::vector<double> const& cost, std::vector<double> const& ratio) {
  std::vector<double> rest;
  for (std::size_t i = 0; i < std::min(cost.size(), ratio.size()); ++i) {
    rest.push_back(cost[i] - ratio[i]);
  }
  return rest;
}

/// The cost of a case's reference: the case's cycles, or its time where there is no clock, divided by the ratio. Empty
/// where the two were not stored for the same sessions.
std::optional<Series> reference_series(Evidence const& one, Metric cost) {
  Series const& costs = *one.series[cost];
  Series const& ratios = *one.series[Metric::ratio];
  Series series{.baseline = costs.baseline,
                .confirm_base = {},
                .screen = without(costs.screen, ratios.screen),
                .confirm = {},
                .occasion = costs.occasion};
  for (auto& [card, of_card] : series.baseline) {
    auto const found = ratios.baseline.find(card);
    if (found == ratios.baseline.end() || found->second.logs.size() != of_card.logs.size()) {
      return std::nullopt;
    }
    of_card.logs = without(of_card.logs, found->second.logs);
  }
  return series;
}

/// What no commit of this program can make slower or faster: kernels of libraries whose version is unchanged, and
/// references, each once. The program's own kernels are not controls, even if their code is equal: their tables,
/// arguments and called code may have changed.
std::vector<Evidence> controls_of(std::vector<Evidence> const& evidence, std::string const& card) {
  std::map<std::string, Evidence> controls;
  for (Evidence const& one : evidence) {
    Metric const cost = one.series[Metric::cycles] ? Metric::cycles : Metric::time;
    if (one.card != card || !one.series[cost]) {
      continue;
    }
    if (one.control == Control::library) {
      controls.insert_or_assign(one.id, one);
    } else if (one.series[Metric::ratio] && !controls.contains(one.reference)) {
      if (std::optional<Series> series = reference_series(one, cost)) {
        Evidence reference{.id = one.reference, .card = card, .margin = one.margin};
        reference.series[cost] = std::move(*series);
        controls.emplace(one.reference, std::move(reference));
      }
    }
  }
  std::vector<Evidence> list;
  for (auto& [id, one] : controls) {
    list.push_back(std::move(one));
  }
  return list;
}

/// Why a card is taken to have changed; empty when it has not.
std::string card_moved(std::string const& card, std::vector<Evidence> const& evidence, Policy const& policy) {
  std::vector<Evidence> const controls = controls_of(evidence, card);
  auto const cycles = compare(controls, Metric::cycles, Stage::screen, policy);
  auto const times = compare(controls, Metric::time, Stage::screen, policy);
  std::size_t slower = 0, faster = 0;
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (std::optional<Comparison> const& cost = controls[i].series[Metric::cycles] ? cycles[i] : times[i]) {
      double const limit = limit_of(controls[i], *cost);
      slower += cost->p_above(limit, +1) < policy.screen_alpha ? 1 : 0;
      faster += cost->p_above(limit, -1) < policy.screen_alpha ? 1 : 0;
    }
  }
  std::size_t const moved = std::max(slower, faster);
  if (controls.size() < kFewestControls ||
      static_cast<double>(moved) < kMovedShare * static_cast<double>(controls.size())) {
    return "";
  }
  return fmt::format(
      "{} of {} libraries' kernels and references, which no commit can have changed, became {} by more than may be: "
      "the "
      "machine is not what it was for the baseline (clocks, memory, driver, other users: perfcheck doctor); check "
      "again "
      "when it is, or accept a new baseline",
      moved, controls.size(), slower >= faster ? "slower" : "faster");
}

}  // namespace

std::map<std::string, std::string> environment_moved(std::vector<Evidence> const& evidence, Policy const& policy) {
  std::map<std::string, std::string> moved;
  if (policy.shared_device) {
    return moved;  // neighbours come and go during a run; each case's own reference shows when they were there
  }
  for (Evidence const& one : evidence) {
    moved.try_emplace(one.card);
  }
  for (auto& [card, why] : moved) {
    why = card_moved(card, evidence, policy);
  }
  std::erase_if(moved, [](auto const& entry) { return entry.second.empty(); });
  return moved;
}

}  // namespace perfcheck::gate
