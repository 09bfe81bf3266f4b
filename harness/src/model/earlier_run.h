// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run file of an earlier version may hold.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace perfcheck::model {

/// Throws FormatError where a file of `schema`, one of kEarlierRunSchemas, holds a key or a status that only later
/// versions have. Anything else that is wrong with it is the reader's to find. Does nothing for kRunSchema.
void refuse_newer_keys(nlohmann::json const& run, std::string_view schema, std::string_view origin);

}  // namespace perfcheck::model
