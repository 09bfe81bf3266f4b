// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One function per rule. All but the last compare two sessions whose times are finite and positive; rules.cpp sees to
// that.
#pragma once

#include "perfcheck/peers/peers.h"

namespace perfcheck::peers {

/// At least one value, and all are finite and positive.
bool is_usable(std::span<double const> values);

/// google/benchmark, tools/gbench/report.py `calc_utest`: slower or faster when a two-sided Mann-Whitney U test of the
/// repetitions gives p < 0.05 (`--alpha`), in the direction of the medians. At least two repetitions each.
Answer google_benchmark(Session const& before, Session const& now);

/// asv, asv/_stats.py `is_different` and asv/commands/compare.py `_is_result_better`: slower when the median grew by
/// more than the factor 1.1 (`--factor`) and asv's own Mann-Whitney U test gives p < 0.002: exact up to 20 values, else
/// the plain normal approximation; ties are broken in the least significant way. It needs samples whose smallest
/// possible p, 1 / (number of orders), is below 0.002: six rounds each.
Answer asv(Session const& before, Session const& now);

/// nvbench, python/scripts/nvbench_compare_legacy.py `compare_gpu_timings`: slower when the relative change of the mean
/// exceeds the smaller of the two relative standard deviations. nvbench calls a standard deviation of fewer than five
/// samples unknown (nvbench/detail/statistics.cuh).
Answer nvbench_legacy(Session const& before, Session const& now);

/// nvbench-compare-robust, python/scripts/nvbench_compare_robust.py and docs/nvbench_compare_robust.md: slower when the
/// least new value is at least 0.5 % above the third quartile of the old ones, in time and in cycles. Without clocks a
/// gap in time is not confirmed and nothing is called slower. `same` needs medians within 0.5 %, intervals from least
/// value to third quartile that overlap by half of the shorter one, and for nearly every value a near one in the other
/// session. All else is ambiguous.
Answer nvbench_robust(Session const& before, Session const& now);
/// Preset `strict`: a gap of 1 %, medians within 0.25 %.
Answer nvbench_robust_strict(Session const& before, Session const& now);
/// Preset `permissive`: a gap of 0.25 %, medians within 1 %.
Answer nvbench_robust_permissive(Session const& before, Session const& now);

/// criterion.rs, src/analysis/compare.rs and src/report.rs `compare_to_threshold`: slower when the bootstrapped t test
/// gives p < 0.05 and the whole 95 % interval of the relative change of the mean is above the noise threshold of 1 %.
Answer criterion(Session const& before, Session const& now);

/// oneDNN, .github/automation/performance/benchdnn_comparison.py: slower when a one-sided t test with common variance
/// gives p <= 0.05 and the median or the minimum grew by 10 % or more. Below three values oneDNN leaves the test out;
/// here that is undecided.
Answer onednn(Session const& before, Session const& now);

/// Conbench, conbench/api/_comparator.py `THRESHOLD`: slower when the value, here the median, grew by more than 5 %.
Answer five_percent(Session const& before, Session const& now);
/// CodSpeed, docs/features/customization: a global threshold of 10 % by default. How it measures and what it does with
/// repetitions is not public; here it is the median that may grow by 10 %.
Answer ten_percent(Session const& before, Session const& now);
/// github-action-benchmark, src/write.ts `findAlerts`: slower when the value, here the median, exceeds 200 %
/// (`alert-threshold`) of the previous one. Never faster.
Answer two_hundred_percent(Session const& before, Session const& now);

/// Bencher, lib/bencher_boundary/src and lib/bencher_valid/src/model/mod.rs `Model::upper_boundary`: slower when the
/// new value, here a session's median, lies above mean + t(0.99, n - 1) * s * sqrt(1 + 1 / n) of the last 64 values.
/// Two values that differ are the least it works with. Never faster.
Answer bencher(std::span<Session const> history, Session const& now);

}  // namespace perfcheck::peers
