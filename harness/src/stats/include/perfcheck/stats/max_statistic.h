// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How large a change statistic becomes by chance when the best position is picked.
#pragma once

#include <cstddef>

namespace perfcheck::stats {

/// P-value of a change with statistic `t`: the chance that a series of `n` runs without any change, analysed by
/// find_change_points, shows one as large. Student's t at a picked position is no p-value; it is multiplied by the
/// effective number of independent positions,
///
///     p = m(n, q) * q,   q = P(|T_df| > t),
///
/// where m comes from simulated series that went through the same steps (harness/bench/max_statistic_table.cpp): spikes
/// removed, noise estimated around candidates, the largest statistic over all numbers and positions of changes. For
/// p = 0.1 % m is about 20 at n = 10, 45 at n = 100 and 90 at n = 1000; theory for one change says log n (James, James
/// and Siegmund 1987, Biometrika 74:71). m is interpolated in log n and log q, and constant below q = 1e-5, so that
/// much smaller p-values are right only in their order of magnitude. The shortest segment is 3 runs; longer ones leave
/// fewer positions, so that the p-value is an upper bound. NaN: n < 6, df not positive, t is NaN. At most 1.
double max_statistic_p(double t, std::size_t n, double df);

/// The t whose p-value is `level`. NaN: level outside (0, 1), n < 6, df not positive.
double max_statistic_critical(double level, std::size_t n, double df);

}  // namespace perfcheck::stats
