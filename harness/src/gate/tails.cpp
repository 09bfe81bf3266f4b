// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "tails.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>

namespace perfcheck::gate {
namespace {

// The assumed rate weighs as much as four sessions of the baseline.
constexpr double kPriorSessions = 4;

/// The sessions that show how slow rounds usually are. Neighbours make tails come and go, so on a shared device these
/// are the base build's sessions of the same minutes, if there are any.
struct Usual {
  std::vector<double> const& tails;
  bool beside;
};

Usual usual_of(Tails const& tails, Stage stage, Policy const& policy) {
  bool const beside = policy.shared_device && stage == Stage::confirm && !tails.confirm_base.empty();
  return {beside ? tails.confirm_base : tails.baseline, beside};
}

TailStatement statement_about(Usual const& stored, std::vector<double> const& fresh, double allowance,
                              Policy const& policy) {
  // The usual cost of slow rounds in the stored sessions belongs to the case; only a session that exceeds it counts.
  // Against a fixed limit, a case that always had slow rounds could get any number of new ones unnoticed.
  double const usual_cost = std::max(1.0, stats::median(stored.tails).value_or(1));
  auto const is_slow = [&](double tail) { return tail > usual_cost * (1 + policy.tail_margin + allowance); };
  std::vector<double> slow;
  std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(slow), is_slow);
  auto const usual = static_cast<double>(std::count_if(stored.tails.begin(), stored.tails.end(), is_slow));
  auto const sessions = static_cast<double>(stored.tails.size());
  // For sessions of the same minutes no rate is assumed (Laplace's rule of succession).
  double const rate = stored.beside ? (usual + 1) / (sessions + 2)
                                    : (usual + kPriorSessions * policy.tail_rate) / (sessions + kPriorSessions);
  TailStatement statement{.slow = static_cast<int>(slow.size()), .sessions = static_cast<int>(fresh.size())};
  statement.cost = stats::median(slow).value_or(1) - 1;
  statement.p = stats::binomial_upper_tail(statement.slow, statement.sessions, rate);
  return statement;
}

}  // namespace

std::optional<TailStatement> tail_of(Tails const& tails, Stage stage, double allowance, Policy const& policy) {
  std::vector<double> const& fresh = stage == Stage::screen ? tails.screen : tails.confirm;
  if (fresh.empty()) {
    return std::nullopt;
  }
  return statement_about(usual_of(tails, stage, policy), fresh, allowance, policy);
}

}  // namespace perfcheck::gate
