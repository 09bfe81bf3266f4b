// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/summary.h"

#include "perfcheck/model/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace perfcheck::model {
namespace {

// Makes the median absolute deviation estimate the standard deviation of a normal distribution (Hampel 1974).
constexpr double kNormalConsistency = 1.4826;
// ns times MHz is thousandths of a cycle.
constexpr double kCyclesPerNsMhz = 1e-3;

struct Column {
  char const* name;
  std::vector<double> const* values;
};

/// What is wrong with the column, or empty. Written so that NaN is wrong.
std::string complaint_about(Column const& column, std::size_t rounds) {
  if (column.values->size() != rounds) {
    return fmt::format("{} has {} values but time_ns has {}", column.name, column.values->size(), rounds);
  }
  for (std::size_t i = 0; i < rounds; ++i) {
    double const value = (*column.values)[i];
    if (!(std::isfinite(value) && value > 0)) {
      return fmt::format("{}[{}] is {}, not a positive number", column.name, i, value);
    }
  }
  return {};
}

std::string complaint_about(CaseResult const& result) {
  if (result.status != CaseStatus::measured) {
    return fmt::format("the case is {}, not measured", to_text(result.status));
  }
  if (!result.rounds || result.rounds->time_ns.empty()) {
    return "the case has no rounds";
  }
  Rounds const& rounds = *result.rounds;
  std::vector<Column> columns{{"time_ns", &rounds.time_ns}};
  // Other programs do not time a reference. Their cases are their own control, and a control's reference is not used.
  if (!rounds.reference_time_ns.empty() || result.reference != result.id) {
    columns.push_back({"reference_time_ns", &rounds.reference_time_ns});
  }
  if (!rounds.clock_mhz.empty()) {
    columns.push_back({"clock_mhz", &rounds.clock_mhz});
  }
  if (!rounds.reference_clock_mhz.empty()) {
    columns.push_back({"reference_clock_mhz", &rounds.reference_clock_mhz});
  }
  for (Column const& column : columns) {
    if (std::string complaint = complaint_about(column, rounds.time_ns.size()); !complaint.empty()) {
      return complaint;
    }
  }
  return {};
}

/// f(a[i], b[i]); both columns are known to be of equal length, finite and positive.
template <typename F>
std::vector<double> of_pairs(std::vector<double> const& a, std::vector<double> const& b, F f) {
  std::vector<double> values(a.size());
  std::transform(a.begin(), a.end(), b.begin(), values.begin(), f);
  return values;
}

double relative_spread(std::vector<double> const& values, double center) {
  std::vector<double> deviations(values.size());
  std::transform(values.begin(), values.end(), deviations.begin(),
                 [center](double value) { return std::abs(value - center); });
  return kNormalConsistency * median(deviations).value() / center;
}

/// At most this much of a mean above the median is explained by scatter: two levels 10 % apart, as libraries have, need
/// no more. Without a limit, rounds that scatter by half would hide a mean that is a third longer.
constexpr double kScatterExplains = 0.05;

/// Mean over median, less the spread of most values: if values lie at two levels, the median is at one of them and the
/// mean between them. Each value is divided first, so that huge values do not overflow.
double tail_of(std::vector<double> const& values) {
  double const middle = median(values).value();
  double const sum = std::accumulate(values.begin(), values.end(), 0.0,
                                     [middle](double so_far, double value) { return so_far + value / middle; });
  double const explained = std::min(relative_spread(values, middle), kScatterExplains);
  return std::max(1.0, sum / static_cast<double>(values.size()) - explained);
}

bool are_numbers(std::span<double const> values) {
  return !values.empty() && std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// Mean of the sorted values from index `first` to `end`, which is not included.
std::optional<double> mean_of_ranks(std::span<double const> values, std::size_t first, std::size_t end) {
  if (!are_numbers(values)) {
    return std::nullopt;
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  auto const begin = sorted.begin();
  double const sum =
      std::accumulate(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end), 0.0);
  return sum / static_cast<double>(end - first);
}

}  // namespace

std::optional<double> median(std::span<double const> values) {
  if (!are_numbers(values)) {
    return std::nullopt;
  }
  std::vector<double> sorted(values.begin(), values.end());
  auto const middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) {
    return *middle;
  }
  // Halves are added so that two huge values do not overflow.
  return *std::max_element(sorted.begin(), middle) / 2 + *middle / 2;
}

std::optional<double> middle_mean(std::span<double const> values) {
  auto const quarter = values.size() / 4;
  return mean_of_ranks(values, quarter, values.size() - quarter);
}

std::optional<double> lower_quartile(std::span<double const> values) {
  auto const rank = values.size() / 4;
  return mean_of_ranks(values, rank, rank + 1);
}

std::optional<SessionSummary> summarize(CaseResult const& result, std::string* why) {
  if (std::string complaint = complaint_about(result); !complaint.empty()) {
    if (why != nullptr) {
      *why = std::move(complaint);
    }
    return std::nullopt;
  }
  Rounds const& rounds = *result.rounds;
  SessionSummary summary;
  summary.time_ns = median(rounds.time_ns).value();
  summary.reference_time_ns = median(rounds.reference_time_ns).value_or(0);
  std::vector<double> telling = rounds.time_ns;
  if (!rounds.clock_mhz.empty()) {
    telling =
        of_pairs(rounds.time_ns, rounds.clock_mhz, [](double ns, double mhz) { return ns * mhz * kCyclesPerNsMhz; });
    summary.cycles = median(telling);
    summary.clock_mhz = median(rounds.clock_mhz);
  }
  if (result.reference != result.id) {
    telling = of_pairs(rounds.time_ns, rounds.reference_time_ns, std::divides<>());
    summary.ratio = median(telling);
  }
  if (!std::ranges::all_of(telling, [](double value) { return std::isfinite(value) && value > 0; })) {
    if (why != nullptr) {
      *why = "time over reference_time_ns, or times clock_mhz, is too large or too small for a number";
    }
    return std::nullopt;
  }
  summary.tail = tail_of(telling);
  if (rounds.time_ns.size() > 1) {
    summary.noise = relative_spread(rounds.time_ns, summary.time_ns);
  }
  summary.rounds = static_cast<int>(rounds.time_ns.size());
  return summary;
}

}  // namespace perfcheck::model
