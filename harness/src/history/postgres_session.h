// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs statements over one connection to PostgreSQL and reports their failures.
#pragma once

#include "database.h"
#include "postgres_connecting.h"
#include "postgres_values.h"

#include <exception>
#include <string>
#include <vector>

namespace perfcheck::history {

class PostgresSession {
 public:
  PostgresSession(std::string const& address, Mode mode);

  std::string const& name() const { return name_; }

  /// Runs any number of statements without values. Returns the command tag of the last one, such as "COMMIT". Throws
  /// PostgresError.
  std::string run(std::string const& sql);
  /// Runs one statement. Rows come one by one, so that the result need not fit into memory. When the callback throws,
  /// the rest of the result is read and discarded, so that the connection stays usable. Throws PostgresError, and what
  /// the callback throws.
  void query(std::string const& sql, PostgresParameters const& parameters, RowCallback const& callback);
  void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback);

  bool lost() const { return api_.status(connection_.get()) == CONNECTION_BAD; }
  bool in_transaction() const { return api_.transaction_status(connection_.get()) != PQTRANS_IDLE; }

 private:
  void require_suitable_server();
  void settle(Mode mode);
  void require_idle() const;
  [[noreturn]] void fail(PGresult const* result) const;

  std::string name_;
  Libpq const& api_;
  PostgresConnection connection_;
  bool busy_ = false;
};

}  // namespace perfcheck::history
