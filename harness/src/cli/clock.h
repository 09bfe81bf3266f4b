// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of day and names made of it.
#pragma once

#include <string>

namespace perfcheck::cli {

/// Now in UTC, ISO 8601: "2026-11-21T08:15:02Z".
std::string utc_now();
/// Unique enough for every machine of a fleet: "20261121T081502Z-3f2a91".
std::string new_run_id();

}  // namespace perfcheck::cli
