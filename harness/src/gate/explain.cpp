// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "explain.h"

#include <algorithm>

namespace perfcheck::gate {
namespace {

using model::Verdict;

bool asks_why(Verdict verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::improved || verdict == Verdict::inconclusive;
}

}  // namespace

void explain(std::vector<CaseDecision>& decisions, model::Baseline const* baseline, Observations const& observations) {
  if (baseline == nullptr) {
    return;
  }
  for (CaseDecision& decision : decisions) {
    auto const stored = baseline->cases.find(decision.id);
    auto const seen = std::find_if(observations.cases.begin(), observations.cases.end(),
                                   [&](Observation const& one) { return one.id == decision.id; });
    if (asks_why(decision.verdict) && stored != baseline->cases.end() && seen != observations.cases.end()) {
      // All results, because clock and power of only a few sessions say nothing; those of the confirmation last,
      // because launches and inputs are compared by the last result.
      std::vector<model::CaseResult const*> fresh = seen->screen;
      fresh.insert(fresh.end(), seen->confirm.begin(), seen->confirm.end());
      decision.differences =
          differences_of(stored->second, baseline->sessions, fresh, observations.places.at(seen->place));
    }
  }
}

}  // namespace perfcheck::gate
