// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What perfcheck_energy writes and says (docs/file-formats.md, "Energy file").
#pragma once

#include "blocks.h"

#include <string>
#include <vector>

namespace perfcheck::energy {

struct Session {
  std::string started;  ///< UTC, ISO 8601
  std::string device, driver;
  double power_limit_w = 0;  ///< 0: not known
  double block_seconds = 0;
  std::vector<Measured> cases;
};

/// The file perfcheck.energy/1. Throws model::FormatError if a number is none.
std::string file_text(Session const& session);

/// A line for people, without a newline: joules per launch, percent of the reference's, and what else was read.
std::string line_of(Measured const& measured);

}  // namespace perfcheck::energy
