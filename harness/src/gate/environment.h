// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the machine still behaves as it did for the baseline.
#pragma once

#include "judge.h"

namespace perfcheck::gate {

/// Controls are library kernels and references, which no commit can have changed. When a fifth of at least eight of
/// them moved the same way, each significantly beyond its limit at `screen_alpha`, the machine has changed, and nothing
/// can be said about the code. Returns a sentence that says so for each card that changed, by card.
std::map<std::string, std::string> environment_moved(std::vector<Evidence> const& evidence, Policy const& policy);

}  // namespace perfcheck::gate
