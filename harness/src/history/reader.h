// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads runs and series from the tables.
#pragma once

#include "database.h"

namespace perfcheck::history {

/// Columns of the table `result` in the order in which they are written and read; the last ten belong to the decision.
extern std::vector<std::string> const kResultColumns;

/// All runs, or the one with this id.
std::vector<RunEntry> read_runs(Database& database, std::string_view id = {});
RunHead read_head(Database& database, RunEntry const& run);
model::Run read_run(Database& database, RunEntry const& run);
std::optional<RunDecision> read_decision(Database& database, RunEntry const& run);
std::vector<SeriesEntry> read_series(Database& database);
void read_results(Database& database, int64_t series, std::function<void(Result const&)> const& callback);
AttributeTexts read_attributes(Database& database);
std::vector<StoredCalibration> read_calibrations(Database& database);

}  // namespace perfcheck::history
