// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <fmt/format.h>

#include <climits>

namespace perfcheck::history {
namespace {

constexpr char const* kVersionTable = "perfcheck_history";
constexpr char const* kTables[] = {"run",     "series", "attributes",  "result",
                                   "session", "rounds", "calibration", "shard"};

// The rows of `result` are stored in the order of its key, so that a case's series is read sequentially.
// docs/history.md describes the columns.
constexpr char const* kVersion1 = R"sql(
CREATE TABLE run (
  run_no {row_number},
  id {text} NOT NULL UNIQUE,
  device_slug {text} NOT NULL,
  operation {text} NOT NULL,
  card {text} NOT NULL,
  started {text} NOT NULL,
  committed {text} NOT NULL,
  commit_id {text} NOT NULL,
  dirty {integer} NOT NULL,
  suite {text} NOT NULL,
  origin {text} NOT NULL,
  cases {integer} NOT NULL,
  exit_code {integer},
  notes {text},
  head {bytes} NOT NULL
);
CREATE TABLE series (
  series_no {row_number},
  device_slug {text} NOT NULL,
  operation {text} NOT NULL,
  case_id {text} NOT NULL,
  UNIQUE (device_slug, operation, case_id)
);
CREATE TABLE attributes (
  attributes_no {row_number},
  digest {text} NOT NULL UNIQUE,
  body {text} NOT NULL
);
CREATE TABLE result (
  series_no {integer} NOT NULL REFERENCES series (series_no),
  run_no {integer} NOT NULL REFERENCES run (run_no),
  status {text} NOT NULL,
  message {text},
  verdict {text},
  attributes_no {integer} REFERENCES attributes (attributes_no),
  sessions {integer} NOT NULL,
  time_ns {real}, time_hw {real},
  ratio {real}, ratio_hw {real},
  cycles {real}, cycles_hw {real},
  clock_mhz {real}, power_w {real}, temperature_c {real},
  noise {real},
  decided_by {text},
  change {real}, change_low {real}, change_high {real},
  margin {real}, detectable {real},
  reason_code {text}, reason {text}, also_changed {text},
  PRIMARY KEY (series_no, run_no)
) {clustered};
CREATE INDEX result_by_run ON result (run_no);
CREATE TABLE session (
  run_no {integer} NOT NULL REFERENCES run (run_no),
  session_index {integer} NOT NULL,
  cases {bytes} NOT NULL,
  PRIMARY KEY (run_no, session_index)
) {clustered};
CREATE TABLE rounds (
  run_no {integer} NOT NULL REFERENCES run (run_no),
  series_no {integer} NOT NULL REFERENCES series (series_no),
  session_index {integer} NOT NULL,
  rounds {bytes} NOT NULL,
  PRIMARY KEY (run_no, series_no, session_index)
) {clustered};
CREATE TABLE calibration (
  device_slug {text} NOT NULL,
  operation {text} NOT NULL,
  recorded {text} NOT NULL,
  document {text} NOT NULL,
  PRIMARY KEY (device_slug, operation, recorded)
);
)sql";

// The cases of a fan-out are measured on several cards; its shards wait in a table of their own until they are merged.
constexpr char const* kVersion2 = R"sql(
ALTER TABLE result ADD COLUMN card {text};
CREATE TABLE shard (
  fan_out {text} NOT NULL,
  device_slug {text} NOT NULL,
  operation {text} NOT NULL,
  shard_index {integer} NOT NULL,
  started {text} NOT NULL,
  run {bytes} NOT NULL,
  PRIMARY KEY (fan_out, device_slug, operation, shard_index)
);
)sql";

int stored_version(Database& database, std::string const& name) {
  int64_t version = 0;
  database.query(fmt::format("SELECT version FROM {}", kVersionTable), {},
                 [&](Row const& row) { version = row.integer(0); });
  if (version < 0 || version > INT_MAX) {
    throw HistoryError(
        fmt::format("{}: is damaged: {} is no version of a schema; restore it from a copy", name, version));
  }
  return static_cast<int>(version);
}

[[noreturn]] void fail_newer(std::string const& name, int version, std::size_t known) {
  throw HistoryError(
      fmt::format("{}: was written by a newer perfcheck (schema {}, this one knows {}); use that one or a newer", name,
                  version, known));
}

}  // namespace

std::vector<std::string> const& migrations() {
  static std::vector<std::string> const scripts{kVersion1, kVersion2};
  return scripts;
}

int version_of(Database& database, std::string const& name) {
  // In this order, because another process may create the history between the two queries.
  bool const empty = database.is_empty();
  if (database.has_table(kVersionTable)) {
    return stored_version(database, name);
  }
  if (!empty) {
    throw HistoryError(fmt::format("{}: holds tables of something else; name another place for the history", name));
  }
  return 0;
}

void bring_up_to_date(Database& database, std::string const& name, std::vector<std::string> const& scripts) {
  auto const newest = static_cast<int>(scripts.size());
  int const before = version_of(database, name);
  if (before > newest) {
    fail_newer(name, before, scripts.size());
  }
  if (before == newest) {
    return;
  }
  database.in_exclusive_transaction([&] {
    // Checked again: another process may have upgraded the history while this one waited.
    int const version = version_of(database, name);
    if (version > newest) {
      fail_newer(name, version, scripts.size());
    }
    if (version == 0) {
      database.run_script(fmt::format("CREATE TABLE {} (version {{integer}} NOT NULL)", kVersionTable));
      database.insert(kVersionTable, {"version"}, {{Parameter(int64_t{0})}}, "");
    }
    for (int i = version; i < newest; ++i) {
      database.run_script(scripts[static_cast<std::size_t>(i)]);
    }
    database.execute(fmt::format("UPDATE {} SET version = $1", kVersionTable), {Parameter(int64_t{newest})});
  });
}

void require_tables(Database& database, std::string const& name) {
  for (char const* table : kTables) {
    if (!database.has_table(table)) {
      throw HistoryError(fmt::format("{}: is damaged: it has no table {}; restore it from a copy", name, table));
    }
  }
}

void require_up_to_date(Database& database, std::string const& name, std::vector<std::string> const& scripts) {
  int const version = version_of(database, name);
  if (version == 0) {
    throw HistoryError(
        fmt::format("{}: holds no history yet; `perfcheck history add --history {} RUN` begins one", name, name));
  }
  if (version > static_cast<int>(scripts.size())) {
    fail_newer(name, version, scripts.size());
  }
  if (version < static_cast<int>(scripts.size())) {
    throw HistoryError(
        fmt::format("{}: has an older schema ({} of {}); `perfcheck history upgrade --history {}` brings it up to date",
                    name, version, scripts.size(), name));
  }
}

}  // namespace perfcheck::history
