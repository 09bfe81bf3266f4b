// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "roles.h"

#include <stdexcept>

namespace perfcheck::gate {
namespace {

// Cycles take over only if they tell a change that is a tenth smaller: of two that are equally sharp, the ratio speaks,
// because it is about time.
constexpr double kClearlySharper = 0.9;

double detectable_alone(Evidence const& evidence, Comparison const& comparison, Policy const& policy) {
  return detectable_change(comparison, limit_of(evidence, comparison), 1, policy);
}

bool cycles_are_sharper(Evidence const& evidence, PerMetric<Comparison> const& screen, Policy const& policy) {
  std::optional<Comparison> const& ratio = screen[Metric::ratio];
  std::optional<Comparison> const& cycles = screen[Metric::cycles];
  return ratio && cycles &&
         detectable_alone(evidence, *cycles, policy) < kClearlySharper * detectable_alone(evidence, *ratio, policy);
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

Roles roles_of(Evidence const& evidence, PerMetric<Comparison> const& screen, Policy const& policy) {
  switch (evidence.basis) {
    case Basis::ratio:
      if (!evidence.series[Metric::cycles]) {
        return {.primary = Metric::ratio, .secondary = Metric::time};
      }
      return !policy.shared_device && cycles_are_sharper(evidence, screen, policy)
                 ? Roles{.primary = Metric::cycles, .secondary = Metric::ratio}
                 : Roles{.primary = Metric::ratio, .secondary = Metric::cycles};
    case Basis::cycles: return {.primary = Metric::cycles, .secondary = {}};
    case Basis::time: return {.primary = Metric::time, .secondary = {}};
    case Basis::incomparable: break;
  }
  throw std::logic_error("a case that cannot be compared has no deciding witness");
}

}  // namespace perfcheck::gate
