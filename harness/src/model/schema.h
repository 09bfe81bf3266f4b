// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The first key that every reader looks at.
#pragma once

#include "perfcheck/model/object_reader.h"

namespace perfcheck::model {

/// Reads "schema" and throws unless it is `supported` ("perfcheck.run/2") or `earlier`, an older version that is still
/// read, telling another version of the same file from a file of another kind.
void require_schema(ObjectReader& reader, std::string_view supported, std::string_view earlier = {});

}  // namespace perfcheck::model
