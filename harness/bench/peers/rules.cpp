// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of rules, and the code that they share.
#include "perfcheck/peers/peers.h"

#include "judges.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::peers {
namespace {

/// Makes a comparison of two sessions a rule: the most recent session of the history is the one compared with.
template <Answer (*compare)(Session const& before, Session const& now)>
Answer with_last(std::span<Session const> history, Session const& now) {
  if (history.empty() || !is_usable(history.back().time_ns) || !is_usable(now.time_ns)) return Answer::undecided;
  return compare(history.back(), now);
}

}  // namespace

std::string_view to_text(Answer answer) {
  switch (answer) {
    case Answer::slower: return "slower";
    case Answer::faster: return "faster";
    case Answer::same: return "same";
    case Answer::undecided: return "undecided";
  }
  return "undecided";
}

bool is_usable(std::span<double const> values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value) && value > 0; });
}

std::vector<Rule> const& rules() {
  static std::vector<Rule> const table = {
      {.name = "google/benchmark",
       .description = "Mann-Whitney U test of the repetitions, p < 0.05, in the direction of the medians.",
       .source = "google/benchmark tools/gbench/report.py (calc_utest)",
       .version = "267a111",
       .year = 2026,
       .judge = with_last<google_benchmark>},
      {.name = "nvbench compare",
       .description = "Relative change of the mean beyond the smaller relative standard deviation of the two runs.",
       .source = "NVIDIA/nvbench python/scripts/nvbench_compare_legacy.py (compare_gpu_timings)",
       .version = "66212f1",
       .year = 2026,
       .judge = with_last<nvbench_legacy>},
      {.name = "nvbench robust",
       .description = "Intervals from minimum to third quartile at least 0.5 % apart, in time and in cycles.",
       .source = "NVIDIA/nvbench docs/nvbench_compare_robust.md, python/scripts/nvbench_compare_robust.py",
       .version = "66212f1",
       .year = 2026,
       .judge = with_last<nvbench_robust>},
      {.name = "nvbench robust, strict",
       .description = "Intervals from minimum to third quartile at least 1 % apart, in time and in cycles.",
       .source = "NVIDIA/nvbench docs/nvbench_compare_robust.md, python/scripts/nvbench_compare_robust.py",
       .version = "66212f1",
       .year = 2026,
       .judge = with_last<nvbench_robust_strict>},
      {.name = "nvbench robust, permissive",
       .description = "Intervals from minimum to third quartile at least 0.25 % apart, in time and in cycles.",
       .source = "NVIDIA/nvbench docs/nvbench_compare_robust.md, python/scripts/nvbench_compare_robust.py",
       .version = "66212f1",
       .year = 2026,
       .judge = with_last<nvbench_robust_permissive>},
      {.name = "criterion.rs",
       .description = "Bootstrapped t test, p < 0.05, and the 95 % interval of the change of the mean beyond 1 %.",
       .source = "criterion.rs src/analysis/compare.rs, src/report.rs (compare_to_threshold)",
       .version = "567405d",
       .year = 2026,
       .judge = with_last<criterion>},
      {.name = "asv",
       .description = "Mann-Whitney U test, p < 0.002, and a change of the median by more than the factor 1.1.",
       .source = "airspeed-velocity/asv asv/_stats.py (is_different), asv/commands/compare.py",
       .version = "7032df7",
       .year = 2026,
       .judge = with_last<asv>},
      {.name = "oneDNN CI",
       .description = "One-sided t test, p <= 0.05, and a change of the median or the minimum of at least 10 %.",
       .source = "uxlfoundation/oneDNN .github/automation/performance/benchdnn_comparison.py",
       .version = "3f27bec",
       .year = 2026,
       .judge = with_last<onednn>},
      {.name = "Bencher",
       .description = "Median above the 99 % prediction limit (Student's t) of up to 64 stored ones.",
       .source = "bencherdev/bencher lib/bencher_boundary/src/boundary.rs, lib/bencher_valid/src/model/mod.rs",
       .version = "v0.6.12 (8d75325)",
       .year = 2026,
       .says_faster = false,
       .judge = bencher},
      {.name = "5 % (Conbench)",
       .description = "Change of the median by more than 5 %.",
       .source = "conbench/conbench conbench/api/_comparator.py (THRESHOLD)",
       .version = "3af4a55",
       .year = 2024,
       .judge = with_last<five_percent>},
      {.name = "10 % (CodSpeed)",
       .description = "Change of the median by more than 10 %.",
       .source = "codspeed.io/docs/features/customization (global regression threshold)",
       .version = "",
       .year = 2026,
       .judge = with_last<ten_percent>},
      {.name = "200 % (github-action-benchmark)",
       .description = "Median more than twice the previous one.",
       .source = "benchmark-action/github-action-benchmark src/write.ts (findAlerts)",
       .version = "c38cce9",
       .year = 2026,
       .says_faster = false,
       .judge = with_last<two_hundred_percent>},
  };
  return table;
}

}  // namespace perfcheck::peers
