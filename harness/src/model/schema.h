// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The key "schema", which every reader checks first.
#pragma once

#include "perfcheck/model/object_reader.h"

#include <span>
#include <string>
#include <string_view>

namespace perfcheck::model {

/// Reads "schema" and returns it. Throws unless it is `supported` ("perfcheck.run/2") or one of `earlier`, older
/// versions that are still read. The message tells another version of the same file from another kind of file.
std::string require_schema(ObjectReader& reader, std::string_view supported, std::span<char const* const> earlier = {});

}  // namespace perfcheck::model
