// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// [renamed] and [retired] of perfcheck.toml.
#pragma once

#include "perfcheck/gate/names.h"
#include "toml_reader.h"

namespace perfcheck::config {

/// Throws ConfigError for entries that are invalid regardless of which kernels and cases exist.
gate::Names read_names(TomlReader& root);

/// Adds the entries that the change's own file has and the trusted one has not, as entries of the change. Throws
/// ConfigError if the two sets cannot be honoured together.
void add_names_of_change(gate::Names& names, gate::Names const& change);

}  // namespace perfcheck::config
