// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From an address to a connection.
#pragma once

#include "libpq.h"

#include <memory>
#include <string>

namespace perfcheck::history {

struct FinishConnection {
  Libpq const* api;
  void operator()(PGconn* connection) const { api->finish(connection); }
};
using PostgresConnection = std::unique_ptr<PGconn, FinishConnection>;

/// `history` is the address without its password, for messages. Retries for some seconds while the server is starting
/// or has no connection left. Settings in the address, the environment and ~/.pgpass take precedence over our own
/// defaults. Throws HistoryError.
PostgresConnection connect(Libpq const& api, std::string const& history, std::string const& address);

}  // namespace perfcheck::history
