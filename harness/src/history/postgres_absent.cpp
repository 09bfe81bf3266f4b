// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces postgres_database.cpp where libpq-fe.h was not found.
#include "database.h"
#include "place.h"

#include <fmt/format.h>

namespace perfcheck::history {

std::unique_ptr<Database> open_postgres(std::string const& address, Mode /*mode*/) {
  throw HistoryError(fmt::format(
      "{}: this perfcheck was built without PostgreSQL; build it where the package libpq-dev is installed, or "
      "keep the history in a file: --history history.sqlite",
      name_of(address)));
}

}  // namespace perfcheck::history
