// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The first key that every reader looks at.
#pragma once

#include "perfcheck/model/object_reader.h"

#include <span>
#include <string>
#include <string_view>

namespace perfcheck::model {

/// Reads "schema" and throws unless it is `supported` ("perfcheck.run/2") or one of `earlier`, older versions that are
/// still read, telling another version of the same file from a file of another kind. Returns it.
std::string require_schema(ObjectReader& reader, std::string_view supported, std::span<char const* const> earlier = {});

}  // namespace perfcheck::model
