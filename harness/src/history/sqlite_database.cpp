// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history in one file.
#include "database.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace perfcheck::history {
namespace {

// A writer locks the file for milliseconds; after half a minute, another process must have stopped in the middle.
constexpr int kBusyMilliseconds = 30'000;
// "perf" in the file's header, so that file(1) and other programs can tell a history from other SQLite files.
constexpr int kApplicationId = 0x70657266;

struct CloseConnection {
  void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// What a person can do about a failure.
std::string remedy(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL: return "make room on the disk; nothing was changed";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another program has held it for half a minute; end that one and try again";
    case SQLITE_READONLY:
    case SQLITE_PERM: return "change the permissions of the file and its folder";
    case SQLITE_CANTOPEN: return "is the path right, and may the folder be written?";
    case SQLITE_NOTADB: return "name another file; this one was not written by perfcheck";
    case SQLITE_CORRUPT: return "restore it from a copy; `perfcheck history export` may still read a part";
    case SQLITE_IOERR: return "is the disk full, or gone? Nothing was changed";
    default: return "try again; if it stays, restore the file from a copy";
  }
}

class SqliteRow : public Row {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}
  bool is_null(int column) const override { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  int64_t integer(int column) const override { return sqlite3_column_int64(statement_, column); }
  double real(int column) const override {
    return is_null(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(statement_, column);
  }
  std::string_view text(int column) const override {
    auto const* const text = reinterpret_cast<char const*>(sqlite3_column_text(statement_, column));
    return text == nullptr ? std::string_view() : std::string_view(text, size(column));
  }
  std::string_view bytes(int column) const override {
    auto const* const bytes = static_cast<char const*>(sqlite3_column_blob(statement_, column));
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, size(column));
  }

 private:
  std::size_t size(int column) const { return static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)); }
  sqlite3_stmt* statement_;
};

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class SqliteDatabase : public Database {
 public:
  SqliteDatabase(std::string file, Mode mode) : file_(std::move(file)) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (mode == Mode::read && !fs::exists(file_, ignored)) {
      throw HistoryError(fmt::format(
          "{}: there is no such history; `perfcheck history add --history {} RUN` begins one", file_, file_));
    }
    if (fs::is_directory(file_, ignored)) {
      throw HistoryError(fmt::format("{}: is a folder; a history is a file, name one", file_));
    }
    sqlite3* opened = nullptr;
    // READWRITE even for a reader, which may have to roll back what a killed writer left behind; if the file is
    // write-protected, SQLite opens it read-only. query_only prevents all other changes.
    int const flags = SQLITE_OPEN_READWRITE | (mode == Mode::write ? SQLITE_OPEN_CREATE : 0);
    int const result = sqlite3_open_v2(file_.c_str(), &opened, flags, nullptr);
    connection_.reset(opened);
    if (result != SQLITE_OK) {
      fail("cannot be opened", result);
    }
    sqlite3_busy_timeout(opened, kBusyMilliseconds);
    sqlite3_extended_result_codes(opened, 1);
    // A commit that was acknowledged must survive a crash of the machine.
    run_script("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536");
    // The file may come from an untrusted source: its schema may only call harmless functions, and pages are validated
    // before use.
    run_script("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
    if (mode == Mode::read) {
      run_script("PRAGMA query_only = ON");
    }
  }

  void run_script(std::string const& sql) override {
    std::string text = sql;
    for (auto const& [name, type] : {std::pair{"{integer}", "INTEGER"},
                                     {"{real}", "REAL"},
                                     {"{text}", "TEXT"},
                                     {"{bytes}", "BLOB"},
                                     {"{row_number}", "INTEGER PRIMARY KEY"},
                                     {"{clustered}", "WITHOUT ROWID"}}) {
      text = replaced(std::move(text), name, type);
    }
    check(sqlite3_exec(connection_.get(), text.c_str(), nullptr, nullptr, nullptr), "a statement failed");
  }

  void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback) override {
    sqlite3_stmt* const statement = prepared(sql);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      bind(statement, static_cast<int>(i) + 1, parameters[i]);
    }
    SqliteRow const row(statement);
    int result = sqlite3_step(statement);
    try {
      for (; result == SQLITE_ROW; result = sqlite3_step(statement)) {
        callback(row);
      }
    } catch (...) {
      sqlite3_reset(statement);
      throw;
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (result != SQLITE_DONE) {
      fail("cannot be read or written", result);
    }
  }

  void insert(std::string const& table, std::vector<std::string> const& columns,
              std::vector<std::vector<Parameter>> const& rows, std::string const& conflict) override {
    std::string names, values;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      names += (i > 0 ? ", " : "") + columns[i];
      values += fmt::format("{}${}", i > 0 ? ", " : "", i + 1);
    }
    std::string const sql = fmt::format("INSERT INTO {} ({}) VALUES ({}) {}", table, names, values, conflict);
    for (std::vector<Parameter> const& row : rows) {
      execute(sql, row);
    }
  }

  bool has_table(std::string const& name) override {
    bool found = false;
    // A virtual table is implemented by code; it holds no stored rows.
    query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1 AND sql NOT LIKE 'CREATE VIRTUAL%'",
          {std::string_view(name)}, [&](Row const&) { found = true; });
    return found;
  }

  bool is_empty() override {
    bool empty = true;
    query("SELECT 1 FROM sqlite_master", {}, [&](Row const&) { empty = false; });
    return empty;
  }

  void in_transaction(std::function<void()> const& work) override {
    // IMMEDIATE takes the write lock at once. Otherwise the upgrade from reader to writer would fail, without waiting,
    // if another writer came first.
    run_script("BEGIN IMMEDIATE");
    try {
      work();
      run_script("COMMIT");
    } catch (...) {
      // Some failures have rolled back already; then this does nothing.
      sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

  void in_exclusive_transaction(std::function<void()> const& work) override {
    in_transaction([&] {
      work();
      run_script(fmt::format("PRAGMA application_id = {}", kApplicationId));
    });
  }

 private:
  sqlite3_stmt* prepared(std::string const& sql) {
    Statement& statement = statements_[sql];
    if (!statement) {
      sqlite3_stmt* compiled = nullptr;
      int const result =
          sqlite3_prepare_v2(connection_.get(), sql.c_str(), static_cast<int>(sql.size()), &compiled, nullptr);
      statement.reset(compiled);
      if (result != SQLITE_OK) {
        statements_.erase(sql);
        fail("cannot be read or written", result);
      }
    }
    return statement.get();
  }

  void bind(sqlite3_stmt* statement, int index, Parameter const& parameter) {
    int result = SQLITE_OK;
    // The values live until the statement is reset, so SQLite need not copy them.
    if (auto const* const integer = std::get_if<int64_t>(&parameter)) {
      result = sqlite3_bind_int64(statement, index, *integer);
    } else if (auto const* const real = std::get_if<double>(&parameter)) {
      result = sqlite3_bind_double(statement, index, *real);
    } else if (auto const* const text = std::get_if<std::string_view>(&parameter)) {
      result = sqlite3_bind_text64(statement, index, text->data() == nullptr ? "" : text->data(), text->size(),
                                   SQLITE_STATIC, SQLITE_UTF8);
    } else if (auto const* const blob = std::get_if<Bytes>(&parameter)) {
      result = blob->bytes.empty()
                   ? sqlite3_bind_zeroblob(statement, index, 0)
                   : sqlite3_bind_blob64(statement, index, blob->bytes.data(), blob->bytes.size(), SQLITE_STATIC);
    } else {
      result = sqlite3_bind_null(statement, index);
    }
    check(result, "a value cannot be stored");
  }

  void check(int result, char const* what) const {
    if (result != SQLITE_OK) {
      fail(what, result);
    }
  }

  [[noreturn]] void fail(char const* what, int code) const {
    char const* const reason = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
    // One line, because SQLite quotes what it cannot parse.
    throw HistoryError(model::one_line(fmt::format("{}: {} ({}); {}", file_, what, reason, remedy(code))));
  }

  std::string file_;
  Connection connection_;
  // Declared after the connection, so that statements are finalized first.
  std::map<std::string, Statement> statements_;
};

}  // namespace

std::unique_ptr<Database> open_sqlite(std::string const& file, Mode mode) {
  return std::make_unique<SqliteDatabase>(file, mode);
}

}  // namespace perfcheck::history
