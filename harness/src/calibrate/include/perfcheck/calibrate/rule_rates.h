// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How often a decision rule raises false alarms and what it finds: perfcheck's own rule and, in evidence, those of
// other tools.
#pragma once

#include "perfcheck/calibrate/rates.h"

#include <string>

namespace perfcheck::calibrate {

/// One rule's record. A trial is a session and a case, judged against the baseline's sessions of the same card.
struct RuleRates {
  std::string name, source;
  int untouched = 0;      ///< trials without slowdown
  int false_alarms = 0;   ///< of those, called slower or faster
  int screens = 0;        ///< sessions
  int false_screens = 0;  ///< with a false alarm
  RatesByPercent device;  ///< slowdowns made on the device, of launches of all lengths
};

/// Our own record.
RuleRates own_rates(SuiteRates const& rates);

}  // namespace perfcheck::calibrate
