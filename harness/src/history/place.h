// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a history is.
#pragma once

#include <string>

namespace perfcheck::history {

/// postgresql://... or postgres://...; anything else is the path of a SQLite file.
bool is_postgres(std::string const& place);
/// For messages: without a password.
std::string name_of(std::string const& place);

}  // namespace perfcheck::history
