// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "tails.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>

namespace perfcheck::gate {
namespace {

// The assumed rate weighs as much as four sessions of the baseline.
constexpr double kPriorSessions = 4;

TailStatement statement_about(Tails const& tails, std::vector<double> const& fresh, Policy const& policy) {
  // What slow rounds cost in most of the stored sessions is the case's own; a session with more than that counts.
  // Without it, a case that always had some could get any number of them.
  double const usual_cost = std::max(1.0, stats::median(tails.baseline).value_or(1));
  auto const is_slow = [&](double tail) { return tail > usual_cost * (1 + policy.tail_margin); };
  std::vector<double> slow;
  std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(slow), is_slow);
  auto const usual = static_cast<double>(std::count_if(tails.baseline.begin(), tails.baseline.end(), is_slow));
  double const rate =
      (usual + kPriorSessions * policy.tail_rate) / (static_cast<double>(tails.baseline.size()) + kPriorSessions);
  TailStatement statement{.slow = static_cast<int>(slow.size()), .sessions = static_cast<int>(fresh.size())};
  statement.cost = stats::median(slow).value_or(1) - 1;
  statement.p = stats::binomial_upper_tail(statement.slow, statement.sessions, rate);
  return statement;
}

}  // namespace

std::vector<std::optional<TailStatement>> tails_of(std::vector<Evidence> const& evidence, Stage stage,
                                                   Policy const& policy) {
  std::vector<std::optional<TailStatement>> statements;
  for (Evidence const& one : evidence) {
    std::vector<double> const& fresh = stage == Stage::screen ? one.tails.screen : one.tails.confirm;
    statements.push_back(fresh.empty() ? std::nullopt : std::optional(statement_about(one.tails, fresh, policy)));
  }
  return statements;
}

}  // namespace perfcheck::gate
