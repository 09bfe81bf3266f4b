// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases for which the base build of a comparison has no times.
#pragma once

#include "perfcheck/gate/gate.h"

#include <vector>

namespace perfcheck::results {

/// What is new to the base build has no baseline, and passes. What it has but could not measure is undecided; so is a
/// case of `accepted` (may be null) if the base build has its kernel, or if the case is slower than accepted.
void tell_without_base(gate::Decisions& decisions, std::vector<model::Session> const& base,
                       model::Baseline const* accepted, gate::Policy const& policy);

}  // namespace perfcheck::results
