// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "roles.h"

#include <cmath>
#include <stdexcept>

namespace perfcheck::gate {
namespace {

// Cycles decide only if they detect a change at least a tenth smaller than the ratio does. Between two that are about
// equally sharp, the ratio decides, because it is about time.
constexpr double kClearlySharper = 0.9;

/// How far beyond the margin a change must be for a witness to detect it. The margin itself is left out: it is the same
/// for all witnesses, and with it a common factor of all noise would change which one decides.
double beyond_margin(Comparison const& comparison, Policy const& policy) {
  return detectable_change(comparison, comparison.card_allowance, 1, policy);
}

bool cycles_are_sharper(PerMetric<Comparison> const& stage, Policy const& policy) {
  std::optional<Comparison> const& ratio = stage[Metric::ratio];
  std::optional<Comparison> const& cycles = stage[Metric::cycles];
  return ratio && cycles && beyond_margin(*cycles, policy) < kClearlySharper * beyond_margin(*ratio, policy);
}

}  // namespace

char const* name_of(Metric metric) {
  switch (metric) {
    case Metric::ratio: return "ratio";
    case Metric::cycles: return "cycles";
    case Metric::time: return "time";
  }
  throw std::logic_error("unknown metric");
}

Roles roles_of(Evidence const& evidence, PerMetric<Comparison> const& stage, Policy const& policy) {
  switch (evidence.basis) {
    case Basis::ratio:
      if (!evidence.series[Metric::cycles]) {
        return {.primary = Metric::ratio, .secondary = Metric::time};
      }
      return !policy.shared_device && cycles_are_sharper(stage, policy)
                 ? Roles{.primary = Metric::cycles, .secondary = Metric::ratio}
                 : Roles{.primary = Metric::ratio, .secondary = Metric::cycles};
    case Basis::cycles: return {.primary = Metric::cycles, .secondary = {}};
    case Basis::time: return {.primary = Metric::time, .secondary = {}};
    case Basis::incomparable: break;
  }
  throw std::logic_error("a case that cannot be compared has no deciding witness");
}

std::optional<double> disturbance_of(PerMetric<Comparison> const& stage, Metric primary, Policy const& policy) {
  std::optional<Comparison> const& cost = stage[stage[Metric::cycles] ? Metric::cycles : Metric::time];
  if (!policy.shared_device || primary != Metric::ratio || !stage[primary] || !cost) {
    return std::nullopt;
  }
  double const change = cost->change - stage[primary]->change;
  bool const tolerated = std::abs(change) <= std::log1p(policy.reference_tolerance) + stage[primary]->card_allowance;
  return tolerated ? std::nullopt : std::optional(change);
}

}  // namespace perfcheck::gate
