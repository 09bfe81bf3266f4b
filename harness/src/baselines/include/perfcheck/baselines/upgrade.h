// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Baseline files of older versions, or edited ones, get a new digest.
#pragma once

#include "perfcheck/config/config.h"
#include "perfcheck/console/context.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/audit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perfcheck::baselines {

/// One file.
struct Upgraded {
  std::filesystem::path file;
  std::string was;  ///< its schema
  bool changed = false;
  model::Baseline baseline;
  std::vector<store::Finding> findings;
};

/// Rewrites the file if its version is old or its digest does not match. Throws store::IoError and model::FormatError.
Upgraded upgrade(config::Config const& config, std::filesystem::path const& file);

std::string upgraded_text(Upgraded const& one, Detail detail);

}  // namespace perfcheck::baselines
