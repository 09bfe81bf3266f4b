// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the same tests on SQLite and on PostgreSQL.
#pragma once

#include "database.h"
#include "postgres_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace perfcheck::history::testing {

enum class Engine { sqlite, postgres };

inline std::string engine_name(::testing::TestParamInfo<Engine> const& info) {
  return info.param == Engine::sqlite ? "Sqlite" : "Postgres";
}

/// Gives every test an empty place for a history of its own. Skips the test where the engine is missing.
class OnEngine : public ::testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    std::string why_not;
    if (GetParam() == Engine::postgres && (server_ = PostgresServer::shared(why_not)) == nullptr) {
      GTEST_SKIP() << why_not;
    }
    start_over();
  }

  /// Switches to another empty place.
  void start_over() {
    if (GetParam() == Engine::sqlite) {
      folder_.emplace();
      place_ = (folder_->path() / "history.sqlite").string();
    } else {
      database_ = server_->create_database();
      place_ = server_->address(database_);
    }
  }

  std::unique_ptr<Database> open(Mode mode = Mode::write) const {
    return GetParam() == Engine::sqlite ? open_sqlite(place_, mode) : open_postgres(place_, mode);
  }
  std::string const& place() const { return place_; }
  /// Only on PostgreSQL.
  PostgresServer const& server() const { return *server_; }
  std::string const& database() const { return database_; }

 private:
  std::optional<TemporaryFolder> folder_;
  PostgresServer* server_ = nullptr;
  std::string database_;
  std::string place_;
};

/// Waits until the condition holds; false if it does not within half a minute.
template <typename Condition>
bool eventually(Condition condition) {
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Text of the HistoryError that `action` throws, one line; any other outcome fails the test.
template <typename Action>
std::string history_error_of(Action action) {
  try {
    action();
  } catch (HistoryError const& error) {
    std::string const what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace perfcheck::history::testing
