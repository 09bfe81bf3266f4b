// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys and statuses that a run file of an earlier version must not hold.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace perfcheck::model {

/// Throws FormatError if a file of `schema`, one of kEarlierRunSchemas, holds a key or a status that only later
/// versions have. All other errors are left to the reader. Does nothing for kRunSchema.
void refuse_newer_keys(nlohmann::json const& run, std::string_view schema, std::string_view origin);

}  // namespace perfcheck::model
