// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history in PostgreSQL.
#include "backoff.h"
#include "database.h"
#include "postgres_errors.h"
#include "postgres_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace perfcheck::history {
namespace {

// "perfchec" as a number: the key of the advisory lock for changes of the schema.
constexpr int64_t kSchemaLock = 0x7065726663686563;
constexpr int kTransactionAttempts = 10;
// The protocol allows 65535, but the statement's text is parsed every time, and beyond some thousands nothing is
// gained.
constexpr std::size_t kMostParameters = 8192;

// Texts compare by their bytes, as in SQLite: the same order on every machine, whatever its locale, and indexes that
// survive an update of the system's collations.
constexpr std::pair<char const*, char const*> kTypes[] = {
    {"{integer}", "BIGINT"},
    {"{real}", "DOUBLE PRECISION"},
    {"{text}", "TEXT COLLATE \"C\""},
    {"{bytes}", "BYTEA"},
    {"{row_number}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"},
    {"{clustered}", ""},
};

std::string with_types(std::string sql) {
  for (auto const& [name, type] : kTypes) {
    std::string_view const from = name, to = type;
    for (std::size_t at = sql.find(from); at != std::string::npos; at = sql.find(from, at + to.size())) {
      sql.replace(at, from.size(), to);
    }
  }
  return sql;
}

std::string insert_statement(std::string const& table, std::vector<std::string> const& columns, std::size_t rows,
                             std::string const& conflict) {
  std::string sql = fmt::format("INSERT INTO {} ({}) VALUES ", table, fmt::join(columns, ", "));
  std::size_t number = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    sql += row == 0 ? "(" : ", (";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fmt::format_to(std::back_inserter(sql), "{}${}", i == 0 ? "" : ", ", ++number);
    }
    sql += ')';
  }
  return sql + ' ' + conflict;
}

bool asks_for_another_attempt(std::string const& state) {
  return state == sqlstate::kSerializationFailure || state == sqlstate::kDeadlock;
}

class PostgresDatabase : public Database {
 public:
  PostgresDatabase(std::string const& address, Mode mode) : session_(address, mode), mode_(mode) {}

  void run_script(std::string const& sql) override { session_.run(with_types(sql)); }

  void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback) override {
    session_.query(sql, parameters, callback);
  }

  void insert(std::string const& table, std::vector<std::string> const& columns,
              std::vector<std::vector<Parameter>> const& rows, std::string const& conflict) override {
    std::size_t const most = std::max<std::size_t>(1, kMostParameters / columns.size());
    for (std::size_t done = 0; done < rows.size();) {
      std::size_t const count = std::min(most, rows.size() - done);
      PostgresParameters parameters;
      for (std::size_t row = done; row < done + count; ++row) {
        if (rows[row].size() != columns.size()) {
          throw std::logic_error("a row has not one value per column");
        }
        for (Parameter const& value : rows[row]) {
          parameters.add(value);
        }
      }
      session_.query(insert_statement(table, columns, count, conflict), parameters, [](Row const&) {});
      done += count;
    }
  }

  bool has_table(std::string const& name) override {
    return any(
        "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = current_schema() AND c.relname = $1 AND c.relkind IN ('r', 'p') LIMIT 1",
        {std::string_view(name)});
  }

  bool is_empty() override {
    // Tables and views of an extension are not somebody's data.
    return !any(
        "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT EXISTS "
        "(SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e') "
        "LIMIT 1",
        {});
  }

  void in_transaction(std::function<void()> const& work) override {
    if (session_.in_transaction()) {
      throw std::logic_error("a transaction within a transaction");
    }
    for (Backoff backoff(kTransactionAttempts);;) {
      try {
        attempt(work);
        return;
      } catch (PostgresError const& error) {
        if (error.state() == sqlstate::kLockNotAvailable) {
          fail_locked(error);
        }
        if (!asks_for_another_attempt(error.state()) || !backoff.wait()) {
          throw;
        }
      }
    }
  }

  void in_exclusive_transaction(std::function<void()> const& work) override {
    in_transaction([&] {
      execute("SELECT pg_advisory_xact_lock($1)", {kSchemaLock});
      work();
    });
  }

 private:
  bool any(char const* sql, std::vector<Parameter> const& parameters) {
    bool found = false;
    session_.query(sql, parameters, [&](Row const&) { found = true; });
    return found;
  }

  void attempt(std::function<void()> const& work) {
    // Set explicitly, whatever the server's default: a writer must see what another writer committed while it waited
    // for it; a reader needs one consistent snapshot.
    session_.run(mode_ == Mode::write ? "BEGIN ISOLATION LEVEL READ COMMITTED"
                                      : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    try {
      work();
      commit();
    } catch (...) {
      roll_back();
      throw;
    }
  }

  void commit() {
    std::string outcome;
    try {
      outcome = session_.run("COMMIT");
    } catch (PostgresError const& error) {
      if (session_.lost()) {
        throw PostgresError(
            fmt::format("{}: the connection was lost while the server was storing: whether it is stored is not known. "
                        "Run the command again: what is there already stays as it is and is not added twice",
                        session_.name()),
            "");
      }
      throw;
    }
    // After a failed statement, COMMIT rolls back but still reports success, with the command tag ROLLBACK.
    if (outcome != "COMMIT") {
      throw std::logic_error("a failure within a transaction was ignored; nothing was stored");
    }
  }

  void roll_back() noexcept {
    try {
      if (!session_.lost() && session_.in_transaction()) {
        session_.run("ROLLBACK");
      }
    } catch (...) {  // NOLINT(bugprone-empty-catch): then the connection is gone, and the server rolls back by itself
    }
  }

  /// Adds to the error who holds the lock, as far as the server can tell.
  [[noreturn]] void fail_locked(PostgresError const& error) {
    std::optional<std::string> holder;
    session_.query(
        "SELECT a.pid, a.usename, a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
        "WHERE l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database() AND "
        "l.locktype IN ('relation', 'transactionid', 'advisory') AND (l.mode LIKE '%Exclusive%' OR l.mode = "
        "'ShareLock') "
        "ORDER BY a.xact_start NULLS LAST, a.pid LIMIT 1",
        PostgresParameters(), [&](Row const& row) {
          holder = fmt::format("it seems to be held by \"{}\" of {}, which SELECT pg_terminate_backend({}) ends",
                               row.text(2), row.text(1), row.integer(0));
        });
    throw PostgresError(fmt::format("{}; {}", error.what(), holder.value_or("it is free again")), error.state());
  }

  PostgresSession session_;
  Mode mode_;
};

}  // namespace

std::unique_ptr<Database> open_postgres(std::string const& address, Mode mode) {
  return std::make_unique<PostgresDatabase>(address, mode);
}

}  // namespace perfcheck::history
