// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The recordings behind docs/evidence, unpacked by the build (the target perfcheck_recordings).
#pragma once

#include "perfcheck/model/run.h"

#include <map>
#include <string>
#include <vector>

namespace perfcheck::store::testing {

/// One recorded run, without the cases that were slowed down on purpose; `file` is such as
/// "cal/gpu-.../block-01.run.json".
model::Run recorded_run(std::string const& file);

/// All recorded runs below a folder of the recordings, by the folder of their card, sorted by name.
std::map<std::string, std::vector<model::Run>> recordings(std::string const& folder);

}  // namespace perfcheck::store::testing
