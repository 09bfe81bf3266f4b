// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perfcheck::gate {
namespace {

constexpr std::size_t kFewestCases = 3;

using Members = std::vector<Evidence const*>;

/// Adds a member's numbers to the sums; returns false when their count differs.
bool add(std::vector<double>& sums, std::vector<double> const& values, bool first) {
  if (first) {
    sums = values;
    return true;
  }
  if (sums.size() != values.size()) {
    return false;
  }
  std::transform(sums.begin(), sums.end(), values.begin(), sums.begin(), std::plus());
  return true;
}

void divide(std::vector<double>& sums, std::size_t by) {
  for (double& sum : sums) {
    sum /= static_cast<double>(by);
  }
}

bool add(ByCard& sums, ByCard const& values, bool first) {
  bool complete = first || sums.size() == values.size();
  for (auto const& [card, of_card] : values) {
    complete = (first || sums.contains(card)) && add(sums[card].logs, of_card.logs, first) && complete;
    sums[card].occasions = of_card.occasions;
  }
  return complete;
}

void divide(ByCard& sums, std::size_t by) {
  for (auto& [card, of_card] : sums) {
    divide(of_card.logs, by);
  }
}

/// The number of confirming sessions that every member has; cases that were clear at an early look have fewer.
std::size_t common_confirmations(Members const& members, Metric metric) {
  std::size_t fewest = members.front()->series[metric]->confirm.size();
  for (Evidence const* member : members) {
    fewest = std::min(fewest, member->series[metric]->confirm.size());
  }
  return fewest;
}

void shorten(std::vector<double>& values, std::size_t count) { values.resize(std::min(values.size(), count)); }

ByCard shortened(ByCard values, std::size_t count) {
  for (auto& [card, of_card] : values) {
    shorten(of_card.logs, count);
    of_card.occasions.resize(of_card.logs.size());
  }
  return values;
}

/// Mean over the members, session by session; empty when one of them lacks the metric or a session.
std::optional<Series> mean_series(Members const& members, Metric metric) {
  if (std::ranges::any_of(members, [&](Evidence const* member) { return !member->series[metric]; })) {
    return std::nullopt;
  }
  std::size_t const confirmations = common_confirmations(members, metric);
  Series mean;
  mean.occasion = members.front()->series[metric]->occasion;
  bool confirmed = true, confirm_based = true;
  for (Evidence const* member : members) {
    bool const first = member == members.front();
    Series const& series = *member->series[metric];
    if (!add(mean.baseline, series.baseline, first) || !add(mean.screen, series.screen, first)) {
      return std::nullopt;
    }
    std::vector<double> confirm = series.confirm;
    shorten(confirm, confirmations);
    confirmed = add(mean.confirm, confirm, first) && confirmed;
    confirm_based = add(mean.confirm_base, shortened(series.confirm_base, confirmations), first) && confirm_based;
  }
  if (!confirmed || !confirm_based) {
    mean.confirm.clear();
    mean.confirm_base.clear();
  }
  divide(mean.baseline, members.size());
  divide(mean.confirm_base, members.size());
  divide(mean.screen, members.size());
  divide(mean.confirm, members.size());
  return mean;
}

Evidence together(std::string const& kernel, Members const& members, Policy const& policy) {
  Evidence evidence;
  evidence.id = kernel;
  bool const one_card =
      std::ranges::all_of(members, [&](Evidence const* member) { return member->card == members.front()->card; });
  evidence.card = one_card ? members.front()->card : "";
  evidence.cases = members.size();
  bool const unchanged =
      std::ranges::all_of(members, [](Evidence const* member) { return member->control != Control::no; });
  evidence.control = unchanged ? members.front()->control : Control::no;
  std::vector<double> times;
  for (Evidence const* member : members) {
    evidence.margin += policy.kernel_margin_share * member->margin / static_cast<double>(members.size());
    times.push_back(member->baseline_time_ns);
  }
  evidence.baseline_time_ns = stats::median(times).value_or(0);
  for (Metric const metric : kMetrics) {
    evidence.series[metric] = mean_series(members, metric);
  }
  evidence.basis = evidence.series[Metric::ratio]    ? Basis::ratio
                   : evidence.series[Metric::cycles] ? Basis::cycles
                                                     : Basis::incomparable;
  return evidence;
}

/// What members must have in common so that their means cover the same sessions and metrics.
using Kind = std::pair<std::vector<std::string>, std::array<bool, kMetrics.size()>>;

Kind kind_of(Evidence const& member) {
  Kind kind{member.stored_sessions, {}};
  for (Metric const metric : kMetrics) {
    kind.second[static_cast<std::size_t>(metric)] = member.series[metric].has_value();
  }
  return kind;
}

/// The members of the most common kind, so that one without a clock or a ratio does not rule out all others.
Members of_most_common_kind(Members const& members) {
  std::map<Kind, Members> by_kind;
  for (Evidence const* member : members) {
    by_kind[kind_of(*member)].push_back(member);
  }
  return std::max_element(by_kind.begin(), by_kind.end(),
                          [](auto const& a, auto const& b) { return a.second.size() < b.second.size(); })
      ->second;
}

}  // namespace

std::string kernel_of(std::string const& case_id) { return model::split_case_id(case_id).kernel; }

std::vector<Evidence> kernels_of(std::vector<Evidence> const& cases, Policy const& policy) {
  if (policy.shared_device) {
    return {};
  }
  std::map<std::string, Members> by_kernel;
  for (Evidence const& one : cases) {
    by_kernel[kernel_of(one.id)].push_back(&one);
  }
  std::vector<Evidence> kernels;
  for (auto const& [kernel, all] : by_kernel) {
    Members const members = of_most_common_kind(all);
    if (members.size() < kFewestCases) {
      continue;
    }
    Evidence evidence = together(kernel, members, policy);
    // Wall time alone would convict a kernel because of the machine's clock.
    if (evidence.basis != Basis::incomparable) {
      kernels.push_back(std::move(evidence));
    }
  }
  return kernels;
}

}  // namespace perfcheck::gate
