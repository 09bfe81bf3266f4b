// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history whose tables are as they should be and whose cells are anything. A line of the input is a row, the name of
// its table and its values separated by '|': nothing at all is NULL, i5 a whole number, r0.5 a number, tX a text, bX
// bytes, zX bytes that X is compressed to. %0A in a value is the byte 10. Columns that a line leaves out are NULL.
#include "perfcheck/codec/deflate.h"
#include "perfcheck/history/history.h"
#include "support/history_file.h"
#include "support/property.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

using namespace perfcheck;

namespace {

constexpr std::array<std::string_view, 9> kTables{"perfcheck_history", "run",    "series",      "attributes", "result",
                                                  "session",           "rounds", "calibration", "shard"};

struct Close {
  void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

int digit_of(char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::size_t const digit = kDigits.find(c);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

std::string unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool const escape =
        text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0;
    bytes += escape ? static_cast<char>(16 * digit_of(text[i + 1]) + digit_of(text[i + 2])) : text[i];
    i += escape ? 2 : 0;
  }
  return bytes;
}

/// What libFuzzer makes of a number is any text; SQLite makes a number of it as it does of a literal.
void bind(sqlite3_stmt* statement, int index, std::string_view value) {
  if (value.empty()) {
    return;
  }
  char const kind = value.front();
  std::string const content = unescaped(value.substr(1));
  switch (kind) {
    case 'i': sqlite3_bind_int64(statement, index, std::strtoll(content.c_str(), nullptr, 10)); break;
    case 'r': sqlite3_bind_double(statement, index, std::strtod(content.c_str(), nullptr)); break;
    case 'b': sqlite3_bind_blob64(statement, index, content.data(), content.size(), SQLITE_TRANSIENT); break;
    case 'z': {
      std::string const stream = codec::deflate(content);
      sqlite3_bind_blob64(statement, index, stream.data(), stream.size(), SQLITE_TRANSIENT);
      break;
    }
    default: sqlite3_bind_text64(statement, index, content.data(), content.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

Statement prepared(sqlite3* connection, std::string const& sql) {
  sqlite3_stmt* compiled = nullptr;
  int const result = sqlite3_prepare_v2(connection, sql.c_str(), -1, &compiled, nullptr);
  fuzz::require(result == SQLITE_OK, "a history has the tables that this target fills");
  return Statement(compiled);
}

void insert(sqlite3* connection, std::string_view line) {
  std::string const table(fuzz::take_until(line, "|"));
  if (std::find(kTables.begin(), kTables.end(), table) == kTables.end()) {
    return;
  }
  int const columns = sqlite3_column_count(prepared(connection, "SELECT * FROM " + table).get());
  std::string sql = "INSERT OR IGNORE INTO " + table + " VALUES (?";
  for (int i = 1; i < columns; ++i) {
    sql += ", ?";
  }
  Statement const statement = prepared(connection, sql + ")");
  for (int i = 0; i < columns && !line.empty(); ++i) {
    bind(statement.get(), i + 1, fuzz::take_until(line, "|"));
  }
  // A value that its column refuses leaves the row out.
  (void)sqlite3_step(statement.get());
}

/// An empty history.
std::string empty_history(fuzz::HistoryFile const& file) {
  {
    history::History const begun(file.path(), history::Mode::write);
  }
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::HistoryFile const file;
  static std::string const empty = empty_history(file);
  file.write(empty);
  {
    sqlite3* opened = nullptr;
    int const result = sqlite3_open(file.path().c_str(), &opened);
    std::unique_ptr<sqlite3, Close> const connection(opened);
    fuzz::require(result == SQLITE_OK, "the file can be opened");
    sqlite3_exec(opened, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN", nullptr, nullptr, nullptr);
    std::string_view rest = fuzz::text_of(data, size);
    while (!rest.empty()) {
      insert(opened, fuzz::take_until(rest, "\n"));
    }
    sqlite3_exec(opened, "COMMIT", nullptr, nullptr, nullptr);
  }
  fuzz::read_everything(file.path());
  return 0;
}
