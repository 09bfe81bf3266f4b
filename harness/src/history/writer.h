// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes runs and calibrations to the tables.
#pragma once

#include "database.h"

namespace perfcheck::history {

/// See History::add. `name` is the history's, for messages.
History::Added add_run(Database& database, std::string const& name, model::Run const& run,
                       std::optional<RunDecision> const& decision);
History::Added add_calibration(Database& database, std::string const& name, StoredCalibration const& calibration);

}  // namespace perfcheck::history
