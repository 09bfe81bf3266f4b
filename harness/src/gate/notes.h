// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a reader of the whole run should know.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::gate {

/// Differences between where the run was measured and where the baseline was. It takes `wanted` sessions of a card to
/// know it.
std::vector<std::string> environment_notes(model::Baseline const& baseline, model::BaselineSession const& measured_on,
                                           int wanted);

/// What was left out because the machine was not fit; empty where nothing was.
std::vector<std::string> unfit_notes(Observations const& observations);

}  // namespace perfcheck::gate
