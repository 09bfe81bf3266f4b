// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/rule_rates.h"

namespace perfcheck::calibrate {

RuleRates own_rates(SuiteRates const& rates) {
  RuleRates own{.name = "perfcheck",
                .source = "docs/how-the-gate-decides.md",
                .screens = rates.screens,
                .false_screens = rates.false_screens,
                .device = {}};
  for (CaseRates const& one : rates.cases) {
    own.untouched += one.untouched;
    own.false_alarms += one.false_alarms;
    for (auto const& [percent, rate] : one.of(Origin::device)) {
      own.device[percent].trials += rate.trials;
      own.device[percent].found += rate.found;
    }
  }
  return own;
}

}  // namespace perfcheck::calibrate
