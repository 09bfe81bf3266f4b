// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Results with as few rounds as tell a decision the same: thousands of decisions are made about each.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/model/summary.h"

#include <vector>

namespace perfcheck::calibrate {

/// The results of one case, one for each session.
using Results = std::vector<model::CaseResult const*>;

/// Rounds whose summary has these medians and this tail; its noise is left out.
model::Rounds rounds_of(model::SessionSummary const& summary);

/// What a decision needs of a result, with rounds_of() its summary. Throws std::invalid_argument for one without.
model::CaseResult condensed(model::CaseResult const& result);

}  // namespace perfcheck::calibrate
