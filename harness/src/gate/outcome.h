// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Verdicts that follow from what happened, without looking at any number.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::gate {

/// A decision with a verdict, its stable code and its sentence.
CaseDecision verdict_of(std::string id, model::Verdict verdict, std::string code, std::string reason);

/// The decision about a case that did not run, failed, was skipped, or has no baseline; empty when both sides measured
/// it, so that the numbers have to decide. `seen` is null without results, `stored` without a baseline.
std::optional<CaseDecision> outcome_without_numbers(std::string const& id, Observation const* seen,
                                                    model::BaselineCase const* stored, bool any_baseline);

}  // namespace perfcheck::gate
