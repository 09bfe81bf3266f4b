// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// [renamed] and [retired] of perfcheck.toml.
#pragma once

#include "perfcheck/gate/names.h"
#include "toml_reader.h"

namespace perfcheck::config {

/// Throws ConfigError for entries that cannot be honoured whatever there is.
gate::Names read_names(TomlReader& root);

/// Adds what the change's own file has and the trusted one has not, as the change's. Throws ConfigError where the two
/// together cannot be honoured.
void add_names_of_change(gate::Names& names, gate::Names const& change);

}  // namespace perfcheck::config
