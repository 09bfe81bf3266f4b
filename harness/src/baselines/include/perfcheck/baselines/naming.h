// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that the entries of [renamed] match kernels and cases that exist.
#pragma once

#include "perfcheck/config/config.h"

#include <filesystem>
#include <vector>

namespace perfcheck::baselines {

/// Throws config::ConfigError for an entry whose old id the worker still offers among `cases`: its new results could
/// not be told from the renamed old ones.
void require_todays_ids(std::vector<protocol::PlannedCase> const& cases, gate::Names const& names);

/// Throws config::ConfigError for an entry that matches no kernel in `kernels`, no retired pattern, and no case of any
/// baseline below `baselines` or the configuration's folder. Such an entry has no effect, so it must be a mistake.
/// Without any stored baseline this cannot be decided, and nothing is thrown.
void require_used(config::Config const& config, std::vector<model::KernelEntry> const& kernels,
                  std::filesystem::path const& baselines);

}  // namespace perfcheck::baselines
