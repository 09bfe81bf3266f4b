// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A real PostgreSQL server for tests: in a temporary folder, on a Unix socket, stopped with the test program.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace perfcheck::history::testing {

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Writes durably, as a server in production does (fsync is on). Roles: postgres (superuser, no password), `locked`,
/// whose password is "right", `unwelcome`, whom the server rejects, and `stranger`. Databases: those that
/// create_database() made.
class PostgresServer {
 public:
  /// This program's server, started on the first call; nullptr and a reason where no server can run.
  static PostgresServer* shared(std::string& why_not);

  ~PostgresServer();
  PostgresServer(PostgresServer const&) = delete;
  PostgresServer& operator=(PostgresServer const&) = delete;

  /// The address of a database for a role. `more` is appended to the parameters after '?', as in
  /// "options=-c%20lock_timeout%3D1s".
  std::string address(std::string const& database, std::string const& role = "postgres",
                      std::string const& more = "") const;
  /// Creates an empty database and returns its name; `how` are options of CREATE DATABASE.
  std::string create_database(std::string const& how = "");
  /// Executes statements one by one as the superuser.
  void execute(std::vector<std::string> const& statements, std::string const& database = "postgres") const;

 private:
  struct Installation;
  explicit PostgresServer(Installation const& installation);
  void start_watchdog();
  void wait_until_it_answers();

  TemporaryFolder folder_;
  pid_t server_ = -1;
  pid_t watchdog_ = -1;
  int to_watchdog_ = -1;
  int databases_ = 0;
};

}  // namespace perfcheck::history::testing
