// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the stored baselines and what the audit finds in them.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/audit.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace perfcheck::baselines {

inline constexpr char const* kBaselinesSchema = "perfcheck.baselines/1";

/// A baseline and the audit's findings about it.
struct StoredBaseline {
  std::filesystem::path file;
  model::Baseline baseline;
  std::vector<store::Finding> findings;
};

/// Every baseline below the folder, sorted by path; only those of `slug` unless it is empty.
std::vector<StoredBaseline> stored_baselines(config::Config const& config, std::filesystem::path const& root,
                                             std::string const& slug);

/// A block of text per baseline. Detail::verbose adds its cases.
std::string stored_text(std::vector<StoredBaseline> const& stored, Detail detail);
/// perfcheck.baselines/1, see docs/cli.md.
nlohmann::json stored_json(std::vector<StoredBaseline> const& stored);

}  // namespace perfcheck::baselines
