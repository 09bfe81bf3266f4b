// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds runs that were measured earlier, or elsewhere, to a history.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/import/import.h"
#include "perfcheck/results/finished_run.h"

#include <string>
#include <vector>

namespace perfcheck::results {

struct ImportOptions {
  std::vector<std::string> files;  ///< run files, exported histories, other programs' results; "-": standard input
  std::string history;             ///< --history; empty: as perfcheck.toml says
  AskedOptions asked;
  importing::ImportOptions foreign;
  std::string commit;     ///< that imported files measured
  std::string baselines;  ///< --baselines; empty: as perfcheck.toml says
};

/// Decides about each run against the stored baseline and keeps run and decisions, whatever kind of file holds the run.
void add_to_history(ImportOptions const& options, Context& context);

}  // namespace perfcheck::results
