// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparing with an earlier run instead of the stored baseline.
#pragma once

#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/renaming.h"

#include <filesystem>
#include <string>

namespace perfcheck::results {

/// Compares `now` with `base`, which was read from `file`: every case that `base` measured must have run again, except
/// for what `asked` leaves out. The stored baseline below `folder` only serves to report how far both runs are behind
/// it. Throws CommandError if the two cannot be compared.
Comparison earlier_run(std::string const& file, model::Run base, model::Run const& now, gate::Policy const& policy,
                       std::filesystem::path const& folder, AskedOptions const& asked, Renaming& renaming);

}  // namespace perfcheck::results
