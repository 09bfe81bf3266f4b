// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The place of a history: an address or a path.
#pragma once

#include <string>

namespace perfcheck::history {

/// Whether the place is postgresql://... or postgres://...; anything else is the path of a SQLite file.
bool is_postgres(std::string const& place);
/// The name of the place for messages: without a password.
std::string name_of(std::string const& place);

}  // namespace perfcheck::history
