// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for every run that a reader accepted, wherever it came from.
#pragma once

#include "perfcheck/model/run.h"

#include <cstddef>
#include <vector>

namespace perfcheck::fuzz {

/// May it be empty?
enum class Column { required, optional };
/// A column of rounds or of a baseline's sessions: as many values as there are of these, each of use.
void require_column(std::vector<double> const& values, std::size_t size, Column column);

/// Rounds are usable, and only measured cases have some.
void require_usable(model::CaseResult const& result);

/// Every case is usable, and the run's file reads back as the same run.
void require_usable(model::Run const& run);

}  // namespace perfcheck::fuzz
