// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/store/levels.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace perfcheck::store {
namespace {

using model::Baseline;
using model::BaselineCase;

std::map<std::string, std::string> cards_of(Baseline const& baseline) {
  std::map<std::string, std::string> cards;
  for (model::BaselineSession const& session : baseline.sessions) {
    cards[session.id] = session.device_uuid;
  }
  return cards;
}

/// Logarithms of a column's levels, by card.
using Levels = std::map<std::string, double>;

/// Empty where there is no such column.
Levels levels_of(BaselineCase const& entry, std::vector<double> const& column,
                 std::map<std::string, std::string> const& card_of) {
  Levels levels;
  if (column.empty() || column.size() != entry.session.size()) {
    return levels;
  }
  std::map<std::string, std::vector<double>> by_card;
  for (std::size_t i = 0; i < column.size(); ++i) {
    auto const card = card_of.find(entry.session[i]);
    by_card[card == card_of.end() ? "" : card->second].push_back(std::log(column[i]));
  }
  for (auto const& [card, logs] : by_card) {
    levels[card] = stats::median(logs).value_or(std::nan(""));
  }
  return levels;
}

double mean_of(Levels const& levels) {
  double sum = 0;
  for (auto const& [card, level] : levels) {
    sum += level;
  }
  return sum / static_cast<double>(levels.size());
}

std::optional<double> change_of(Levels const& before, Levels const& after) {
  if (before.empty() || after.empty()) {
    return std::nullopt;
  }
  double largest = mean_of(after) - mean_of(before);
  for (auto const& [card, level] : after) {
    auto const then = before.find(card);
    if (then != before.end() && std::abs(level - then->second) > std::abs(largest)) {
      largest = level - then->second;
    }
  }
  return std::isfinite(largest) ? std::optional(std::expm1(largest)) : std::nullopt;
}

double deciding_change(LevelMove const& move, bool shared_device) {
  if (!move.ratio && !move.cycles) {
    return move.time.value_or(0);
  }
  if (!move.ratio || (move.cycles && !shared_device && std::abs(*move.cycles) > std::abs(*move.ratio))) {
    return *move.cycles;
  }
  return *move.ratio;
}

}  // namespace

std::vector<LevelMove> level_moves(Baseline const& before, Baseline const& after, bool shared_device) {
  std::map<std::string, std::string> const cards_before = cards_of(before), cards_after = cards_of(after);
  std::vector<LevelMove> moves;
  for (auto const& [id, now] : after.cases) {
    auto const found = before.cases.find(id);
    if (found == before.cases.end() || found->second.session == now.session) {
      continue;
    }
    BaselineCase const& then = found->second;
    auto const change = [&](std::vector<double> BaselineCase::* column) {
      return change_of(levels_of(then, then.*column, cards_before), levels_of(now, now.*column, cards_after));
    };
    LevelMove move{
        .case_id = id, .ratio = {}, .cycles = change(&BaselineCase::cycles), .time = change(&BaselineCase::time_ns)};
    if (then.reference == now.reference && now.reference != id) {
      move.ratio = change(&BaselineCase::ratio);
    }
    move.change = deciding_change(move, shared_device);
    moves.push_back(std::move(move));
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](LevelMove const& a, LevelMove const& b) { return a.change > b.change; });
  return moves;
}

}  // namespace perfcheck::store
