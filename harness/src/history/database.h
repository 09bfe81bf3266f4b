// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The least that a history asks of a database: statements that SQLite and PostgreSQL both understand.
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

/// Not text: stored as BLOB or BYTEA. The bytes must outlive the call.
struct Bytes {
  std::string_view bytes;
};

/// A value for a statement; monostate is NULL. Texts must outlive the call.
using Parameter = std::variant<std::monostate, int64_t, double, std::string_view, Bytes>;

/// NULL for an absent number and for what is no figure: NaN, and an interval that ends nowhere.
inline Parameter nullable(std::optional<double> value) {
  return value && std::isfinite(*value) ? Parameter(*value) : Parameter();
}

/// One row of an answer, valid during the callback. Columns count from 0.
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

  /// Statements without parameters, separated by ';'. Types of a new table are written {integer}, {real}, {text},
  /// {bytes} and {row_number} (a key that counts itself), {clustered} stands behind a table whose rows lie in the order
  /// of its key.
  virtual void run_script(std::string const& sql) = 0;
  /// One statement. Parameters are $1, $2, ... in the order of their first appearance. The callback may not use the
  /// database.
  virtual void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback) = 0;
  void execute(std::string const& sql, std::vector<Parameter> const& parameters) {
    query(sql, parameters, [](Row const&) {});
  }
  /// INSERT of any number of rows, each with a value per column; `conflict` is what stands behind the values ("ON
  /// CONFLICT DO NOTHING" or nothing).
  virtual void insert(std::string const& table, std::vector<std::string> const& columns,
                      std::vector<std::vector<Parameter>> const& rows, std::string const& conflict) = 0;

  virtual bool has_table(std::string const& name) = 0;
  /// For a database that is new: does it hold tables that are not ours?
  virtual bool is_empty() = 0;

  /// Runs `work` in a transaction that other writers see as a whole or not at all. Waits for other writers. When the
  /// database asks for it to be tried again (a deadlock), it is: `work` may be called more than once.
  virtual void in_transaction(std::function<void()> const& work) = 0;
  /// The same, and nobody else is in one of these at the same time: for changes of the schema.
  virtual void in_exclusive_transaction(std::function<void()> const& work) = 0;
};

/// `place`: as History::open. Mode::read of a SQLite file that does not exist is an error; Mode::write creates it.
std::unique_ptr<Database> open_sqlite(std::string const& file, Mode mode);
/// `address`: postgresql://user@host:port/name?... as libpq takes it. libpq is loaded when this is called first.
std::unique_ptr<Database> open_postgres(std::string const& address, Mode mode);

}  // namespace perfcheck::history
