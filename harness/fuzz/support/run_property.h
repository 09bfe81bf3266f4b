// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for every run that a reader accepted, wherever it came from.
#pragma once

#include "model/run.h"

namespace perfcheck::fuzz {

/// Rounds are usable, and only measured cases have some.
void require_usable(model::CaseResult const& result);

/// Every case is usable, and the run's file reads back as the same run.
void require_usable(model::Run const& run);

}  // namespace perfcheck::fuzz
