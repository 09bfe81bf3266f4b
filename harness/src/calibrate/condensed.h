// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Results reduced to the few rounds that lead to the same decision: thousands of decisions are made about each result.
#pragma once

#include "perfcheck/model/run.h"
#include "perfcheck/model/summary.h"

#include <vector>

namespace perfcheck::calibrate {

/// The results of one case, one for each session.
using Results = std::vector<model::CaseResult const*>;

/// A few rounds whose summary has the same medians and the same tail; its noise is not kept.
model::Rounds rounds_of(model::SessionSummary const& summary);

/// The parts of a result that a decision needs, with rounds_of() its summary. Throws std::invalid_argument for a result
/// without a summary.
model::CaseResult condensed(model::CaseResult const& result);

}  // namespace perfcheck::calibrate
