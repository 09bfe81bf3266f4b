// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the entries of [renamed] fit what there is.
#pragma once

#include "perfcheck/config/config.h"

#include <filesystem>
#include <vector>

namespace perfcheck::baselines {

/// Throws config::ConfigError for an entry whose old id the worker still offers among `cases`: nobody could tell its
/// results from those of before.
void require_todays_ids(std::vector<protocol::PlannedCase> const& cases, gate::Names const& names);

/// Throws config::ConfigError for an entry that concerns neither a kernel of these, nor a case of any baseline below
/// the folder or below the one that the configuration names, nor what is retired: it does nothing, so it was meant to
/// do something else. Without a baseline anywhere nobody can tell.
void require_used(config::Config const& config, std::vector<model::KernelEntry> const& kernels,
                  std::filesystem::path const& baselines);

}  // namespace perfcheck::baselines
