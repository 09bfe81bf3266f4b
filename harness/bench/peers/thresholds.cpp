// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules that compare one number per session with a limit.
#include "judges.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::peers {
namespace {

double change_of_median(Session const& before, Session const& now) {
  double const old_value = *stats::median(before.time_ns);
  return (*stats::median(now.time_ns) - old_value) / old_value;
}

Answer beyond(double change, double limit) {
  if (change > limit) return Answer::slower;
  return change < -limit ? Answer::faster : Answer::same;
}

}  // namespace

Answer five_percent(Session const& before, Session const& now) { return beyond(change_of_median(before, now), 0.05); }

Answer ten_percent(Session const& before, Session const& now) { return beyond(change_of_median(before, now), 0.10); }

Answer two_hundred_percent(Session const& before, Session const& now) {
  return *stats::median(now.time_ns) / *stats::median(before.time_ns) > 2 ? Answer::slower : Answer::same;
}

Answer bencher(std::span<Session const> history, Session const& now) {
  std::size_t const most = 64;
  std::vector<double> values;
  for (Session const& session : history.last(std::min(most, history.size()))) {
    if (!is_usable(session.time_ns)) return Answer::undecided;
    values.push_back(*stats::median(session.time_ns));
  }
  if (values.size() < 2 || !is_usable(now.time_ns)) return Answer::undecided;
  double const sd = *stats::sample_sd(values);
  if (sd == 0) return Answer::undecided;  // Bencher gives no limit then
  auto const n = static_cast<double>(values.size());
  double const limit = *stats::mean(values) + stats::student_t_quantile(0.99, n - 1) * sd * std::sqrt(1 + 1 / n);
  return *stats::median(now.time_ns) > limit ? Answer::slower : Answer::same;
}

}  // namespace perfcheck::peers
