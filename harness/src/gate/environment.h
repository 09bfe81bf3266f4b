// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the machine is still the one of the baseline.
#pragma once

#include "judge.h"

namespace perfcheck::gate {

/// When a fifth of at least eight controls, libraries' kernels and references that no commit can have changed, moved
/// the same way, each beyond its limit and significantly so at `screen_alpha`, the machine changed, and nothing can be
/// said about the code. Returns a sentence that says so by card, of the cards that changed.
std::map<std::string, std::string> environment_moved(std::vector<Evidence> const& evidence, Policy const& policy);

}  // namespace perfcheck::gate
