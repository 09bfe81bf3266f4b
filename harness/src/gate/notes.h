// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Notes about a run as a whole.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::gate {

/// Differences between the environments of the run and of the baseline. The baseline knows a card when it holds at
/// least `wanted` sessions of it.
std::vector<std::string> environment_notes(model::Baseline const& baseline, model::BaselineSession const& measured_on,
                                           int wanted);

/// How many results were left out because the machine was not fit; empty if none was.
std::vector<std::string> unfit_notes(Observations const& observations);

}  // namespace perfcheck::gate
