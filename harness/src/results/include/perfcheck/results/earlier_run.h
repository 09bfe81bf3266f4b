// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// An earlier run in the place of the stored baseline.
#pragma once

#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/renaming.h"

#include <filesystem>
#include <string>

namespace perfcheck::results {

/// `base`, read from `file`, as what `now` is compared with: every case that it measured must have run again, but for
/// what `asked` leaves out. The stored baseline below `folder` is for a word about how far both runs are behind it.
/// Throws CommandError where the two cannot be compared.
Comparison earlier_run(std::string const& file, model::Run base, model::Run const& now, gate::Policy const& policy,
                       std::filesystem::path const& folder, AskedOptions const& asked, Renaming& renaming);

}  // namespace perfcheck::results
