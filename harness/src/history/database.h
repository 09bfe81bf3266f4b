// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The minimal interface that a history needs of a database; its statements work in both SQLite and PostgreSQL.
#pragma once

#include "perfcheck/history/history.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perfcheck::history {

/// Binary data, stored as BLOB or BYTEA. The bytes must outlive the call.
struct Bytes {
  std::string_view bytes;
};

/// A value for a statement; monostate is NULL. Texts must outlive the call.
using Parameter = std::variant<std::monostate, int64_t, double, std::string_view, Bytes>;

/// NULL for an absent number, for NaN, and for infinity (an unbounded interval).
inline Parameter nullable(std::optional<double> value) {
  return value && std::isfinite(*value) ? Parameter(*value) : Parameter();
}

/// One row of a result, valid during the callback. Columns count from 0.
class Row {
 public:
  virtual ~Row() = default;
  virtual bool is_null(int column) const = 0;
  virtual int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;  ///< NaN for NULL
  virtual std::string_view text(int column) const = 0;
  virtual std::string_view bytes(int column) const = 0;

  std::optional<double> optional_real(int column) const {
    return is_null(column) ? std::nullopt : std::optional(real(column));
  }
};

using RowCallback = std::function<void(Row const&)>;

/// One connection, used by one thread. Every failure is a HistoryError that names the history and the remedy.
class Database {
 public:
  virtual ~Database() = default;

  /// Runs statements without parameters, separated by ';'. Column types of a new table are written {integer}, {real},
  /// {text}, {bytes} and {row_number} (an auto-incrementing key); {clustered} follows a table whose rows are stored in
  /// the order of its key.
  virtual void run_script(std::string const& sql) = 0;
  /// Runs one statement. Parameters are $1, $2, ... in the order of their first appearance. The callback must not use
  /// the database.
  virtual void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback) = 0;
  void execute(std::string const& sql, std::vector<Parameter> const& parameters) {
    query(sql, parameters, [](Row const&) {});
  }
  /// Inserts any number of rows, each with one value per column; `conflict` is the clause after the values ("ON
  /// CONFLICT DO NOTHING" or empty).
  virtual void insert(std::string const& table, std::vector<std::string> const& columns,
                      std::vector<std::vector<Parameter>> const& rows, std::string const& conflict) = 0;

  virtual bool has_table(std::string const& name) = 0;
  /// Whether the database holds nothing yet, neither a history nor anything else.
  virtual bool is_empty() = 0;

  /// Runs `work` in a transaction, atomically. Waits for other writers. `work` may be called more than once, because
  /// the transaction is repeated if the database asks for that (after a deadlock).
  virtual void in_transaction(std::function<void()> const& work) = 0;
  /// The same, but only one such transaction runs at a time: for changes of the schema.
  virtual void in_exclusive_transaction(std::function<void()> const& work) = 0;
};

/// Mode::read of a file that does not exist is an error; Mode::write creates it.
std::unique_ptr<Database> open_sqlite(std::string const& file, Mode mode);
/// `address`: postgresql://user@host:port/name?... as libpq accepts it. The first call loads libpq.
std::unique_ptr<Database> open_postgres(std::string const& address, Mode mode);

}  // namespace perfcheck::history
