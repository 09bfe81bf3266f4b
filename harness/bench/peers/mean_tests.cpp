// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules that rest on a t statistic.
#include "judges.h"

#include "perfcheck/peers/bootstrap.h"
#include "perfcheck/stats/stats.h"
#include "perfcheck/stats/two_samples.h"

#include <algorithm>

namespace perfcheck::peers {

Answer criterion(Session const& before, Session const& now) {
  double const noise_threshold = 0.01;
  double const level = 0.05;
  auto const change = bootstrap_mean_change(before.time_ns, now.time_ns);
  if (!change) return Answer::undecided;
  // Both conditions must hold; the interval settles most comparisons, so it comes first.
  bool const slower = change->low > noise_threshold;
  bool const faster = change->high < -noise_threshold;
  if (!slower && !faster) return Answer::same;
  auto const p = bootstrap_t_p(before.time_ns, now.time_ns);
  if (!p) return Answer::undecided;
  if (!(*p < level)) return Answer::same;
  return slower ? Answer::slower : Answer::faster;
}

Answer onednn(Session const& before, Session const& now) {
  double const share = 0.1;
  double const level = 0.05;
  if (before.time_ns.size() < 3 || now.time_ns.size() < 3) return Answer::undecided;
  auto const grew = [&](double from, double to) { return (to - from) / from >= share; };
  double const old_median = *stats::median(before.time_ns);
  double const new_median = *stats::median(now.time_ns);
  double const old_least = *std::min_element(before.time_ns.begin(), before.time_ns.end());
  double const new_least = *std::min_element(now.time_ns.begin(), now.time_ns.end());
  auto const test = stats::pooled_t(now.time_ns, before.time_ns);
  if (!test) return Answer::same;  // no scatter and equal means
  double const p_not_slower = stats::student_t_cdf(-test->t, test->df);
  double const p_not_faster = stats::student_t_cdf(test->t, test->df);
  if (p_not_slower <= level && (grew(old_median, new_median) || grew(old_least, new_least))) return Answer::slower;
  if (p_not_faster <= level && (grew(new_median, old_median) || grew(new_least, old_least))) return Answer::faster;
  return Answer::same;
}

}  // namespace perfcheck::peers
