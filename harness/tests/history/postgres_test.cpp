// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What only a server can do to a history, and the errors that users see then.
#include "database.h"
#include "engines.h"
#include "libpq.h"
#include "perfcheck/history/history.h"
#include "postgres_values.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <utility>

namespace perfcheck::history {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::history_error_of;
using ::testing::Not;

class Postgres : public testing::OnEngine {
 protected:
  std::string opening_fails(std::string const& address, Mode mode = Mode::write) {
    return history_error_of([&] { (void)open_postgres(address, mode); });
  }
  std::string shown(Database& database, std::string const& setting) {
    std::string value;
    database.query("SELECT current_setting($1)", {std::string_view(setting)},
                   [&](Row const& row) { value = row.text(0); });
    return value;
  }
  int64_t backend(Database& database) {
    int64_t pid = 0;
    database.query("SELECT pg_backend_pid()", {}, [&](Row const& row) { pid = row.integer(0); });
    return pid;
  }
  void terminate(int64_t pid) { server().execute({"SELECT pg_terminate_backend(" + std::to_string(pid) + ")"}); }
  void make_thing() { open()->run_script("CREATE TABLE thing (name {text} PRIMARY KEY, number {integer})"); }
  int64_t things() {
    int64_t count = 0;
    open(Mode::read)->query("SELECT count(*) FROM thing", {}, [&](Row const& row) { count = row.integer(0); });
    return count;
  }
};

INSTANTIATE_TEST_SUITE_P(On, Postgres, ::testing::Values(testing::Engine::postgres), testing::engine_name);

TEST(Libpq, ThatIsNotInstalledIsNamedWithItsPackage) {
  EXPECT_THAT(history_error_of([] { (void)load_libpq("postgresql://h/d", {"libpq-of-nowhere.so.5"}); }),
              AllOf(HasSubstr("postgresql://h/d: "), HasSubstr("libpq-of-nowhere.so.5"), HasSubstr("libpq5")));
}

TEST(Libpq, OfAnotherKindIsNoLibpq) {
  EXPECT_THAT(history_error_of([] { (void)load_libpq("postgresql://h/d", {"libm.so.6"}); }), HasSubstr("has no PQ"));
}

TEST(StorableText, ReplacesWhatPostgresCannotHold) {
  std::string const replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(storable(""), std::nullopt);
  EXPECT_EQ(storable("plain \x01 caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x9A\x80"), std::nullopt);
  EXPECT_EQ(storable(std::string_view("a\0b", 3)), "a" + replaced + "b");
  EXPECT_EQ(storable("\xC3"), replaced);  // cut off
  EXPECT_EQ(storable("\xE2\x82z"), replaced + replaced + "z");
  EXPECT_EQ(storable("\x80 \xFF"), replaced + " " + replaced);  // no lead byte
  EXPECT_EQ(storable("\xC0\x80"), replaced + replaced);         // overlong
  EXPECT_EQ(storable("\xE0\x80\x80"), replaced + replaced + replaced);
  EXPECT_EQ(storable("\xED\xA0\x80"), replaced + replaced + replaced);                 // half of a surrogate pair
  EXPECT_EQ(storable("\xF4\x90\x80\x80"), replaced + replaced + replaced + replaced);  // beyond the last code point
}

TEST_P(Postgres, TextIsRepairedOnTheWay) {
  make_thing();
  std::unique_ptr<Database> const connection = open();
  connection->insert("thing", {"name"}, {{std::string_view("a\0b\xFF", 4)}}, "");
  std::string found;
  connection->query("SELECT name FROM thing WHERE name = $1", {std::string_view("a\0b\xFF", 4)},
                    [&](Row const& row) { found = row.text(0); });
  EXPECT_EQ(found,
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
}

TEST_P(Postgres, AMissingDatabaseIsToBeCreated) {
  EXPECT_THAT(
      opening_fails(server().address("nothing_here")),
      AllOf(HasSubstr("postgresql://postgres@/nothing_here: cannot be opened"), HasSubstr("does not exist"),
            HasSubstr("createdb --encoding=UTF8 nothing_here"), Not(HasSubstr("3D000")), Not(HasSubstr("LOCATION"))));
}

TEST_P(Postgres, AMissingRoleIsToBeCreated) {
  EXPECT_THAT(opening_fails(server().address(database(), "nobody_knows")),
              AllOf(HasSubstr("nobody_knows"), HasSubstr("createuser nobody_knows"), HasSubstr("pg_hba.conf")));
  EXPECT_THAT(opening_fails(server().address(database(), "unwelcome")), HasSubstr("pg_hba.conf"));
}

TEST_P(Postgres, APasswordIsNeverShown) {
  std::string const with_password = server().address(database(), "locked:hunter2");
  EXPECT_THAT(opening_fails(with_password), AllOf(HasSubstr("postgresql://locked@/" + database()),
                                                  HasSubstr("~/.pgpass"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(opening_fails(server().address(database(), "locked", "password=hunter2")),
              AllOf(HasSubstr("~/.pgpass"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(opening_fails(server().address(database(), "locked")),
              AllOf(HasSubstr("no password supplied"), HasSubstr("~/.pgpass")));
  std::unique_ptr<Database> const connection = open_postgres(server().address(database(), "locked:right"), Mode::read);
  EXPECT_THAT(history_error_of([&] { connection->run_script("nonsense"); }), Not(HasSubstr("right")));
}

TEST_P(Postgres, APasswordThatWasNotEncodedIsNotShownEither) {
  for (std::string const password :
       {"hun/ter2", "hun@ter2", "hun@te/r2", "hun%ter2", "hun:te@r2", "h@u/n?ter2", "hun?ter2"}) {
    std::string const said = opening_fails("postgresql://locked:" + password + "@127.0.0.1:1/x");
    EXPECT_THAT(said, Not(HasSubstr("hun"))) << password;
    EXPECT_THAT(said, Not(HasSubstr("ter2"))) << password;
    EXPECT_THAT(said, Not(HasSubstr("te@r2"))) << password;
  }
}

TEST_P(Postgres, AnAddressThatIsNoneIsExplained) {
  EXPECT_THAT(opening_fails("postgresql:///x?sslmod=require"), AllOf(HasSubstr("sslmod"), HasSubstr("USER@HOST")));
  EXPECT_THAT(opening_fails("postgresql://host:port/x"), HasSubstr("USER@HOST:PORT/DATABASE"));
}

TEST_P(Postgres, AServerThatIsNotThereIsAskedAfter) {
  EXPECT_THAT(opening_fails("postgresql://me@127.0.0.1:1/x"),
              AllOf(HasSubstr("postgresql://me@127.0.0.1:1/x: cannot be opened"), HasSubstr("refused"),
                    HasSubstr("is the server running")));
}

TEST_P(Postgres, AServerThatDoesNotAnswerIsGivenUp) {
  // A socket that listens but never answers.
  testing::TemporaryFolder const folder;
  std::string const path = (folder.path() / ".s.PGSQL.5432").string();
  int const listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  ASSERT_EQ(::listen(listening, 5), 0);
  EXPECT_THAT(opening_fails("postgresql:///x?connect_timeout=2&host=" + folder.path().string()),
              HasSubstr("did not answer in time"));
  ::close(listening);
}

TEST_P(Postgres, PasswordsAreTakenFromTheirFile) {
  testing::TemporaryFolder const folder;
  std::string const file = (folder.path() / "pgpass").string();
  std::ofstream(file) << "*:*:*:locked:right\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::string const before = std::getenv("PGPASSFILE");
  ::setenv("PGPASSFILE", file.c_str(), 1);
  EXPECT_NO_THROW((void)open_postgres(server().address(database(), "locked"), Mode::read));
  ::setenv("PGPASSFILE", before.c_str(), 1);
}

TEST_P(Postgres, AMissingRightIsToBeGranted) {
  server().execute({"REVOKE ALL ON SCHEMA public FROM PUBLIC"}, database());
  EXPECT_THAT(history_error_of([&] { History(server().address(database(), "stranger"), Mode::write); }),
              HasSubstr("GRANT"));
  server().execute({"GRANT USAGE ON SCHEMA public TO stranger"}, database());
  EXPECT_THAT(history_error_of([&] { History(server().address(database(), "stranger"), Mode::write); }),
              AllOf(HasSubstr("permission denied"), HasSubstr("GRANT"), HasSubstr("\"stranger\"")));
  server().execute({"REVOKE CONNECT ON DATABASE " + database() + " FROM PUBLIC"});
  EXPECT_THAT(opening_fails(server().address(database(), "stranger")), HasSubstr("GRANT CONNECT"));
}

TEST_P(Postgres, TheRightsThatTheDocumentNamesSuffice) {
  server().execute({"REVOKE ALL ON SCHEMA public FROM PUBLIC", "GRANT USAGE, CREATE ON SCHEMA public TO stranger"},
                   database());
  EXPECT_NO_THROW(History(server().address(database(), "stranger"), Mode::write));
  EXPECT_NO_THROW(History(server().address(database(), "stranger"), Mode::read));
  // A role with read access only.
  server().execute({"GRANT USAGE ON SCHEMA public TO locked", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked"},
                   database());
  EXPECT_NO_THROW(History(server().address(database(), "locked:right"), Mode::read));
}

TEST_P(Postgres, ADatabaseThatCannotHoldEveryNameIsRefused) {
  auto& admin = const_cast<testing::PostgresServer&>(server());
  std::string const latin = admin.create_database("ENCODING 'LATIN1' TEMPLATE template0");
  EXPECT_THAT(opening_fails(server().address(latin)), AllOf(HasSubstr("LATIN1"), HasSubstr("--encoding=UTF8")));
}

TEST_P(Postgres, TheLanguageOfTheDatabaseDoesNotChangeTheOrder) {
  auto& admin = const_cast<testing::PostgresServer&>(server());
  std::string name;
  try {
    name = admin.create_database("LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0");
  } catch (HistoryError const& error) {
    GTEST_SKIP() << "this server has no ICU: " << error.what();
  }
  auto const connection = open_postgres(server().address(name), Mode::write);
  connection->run_script("CREATE TABLE thing (name {text})");
  connection->insert("thing", {"name"}, {{"b"}, {"B"}, {"a"}, {"A"}}, "");
  std::string order, natural;
  connection->query("SELECT name FROM thing ORDER BY name", {}, [&](Row const& row) { order += row.text(0); });
  connection->query("SELECT name FROM thing ORDER BY name COLLATE \"default\"", {},
                    [&](Row const& row) { natural += row.text(0); });
  EXPECT_EQ(order, "ABab");
  EXPECT_EQ(natural, "aAbB");  // the two orders differ, so the test is meaningful
}

TEST_P(Postgres, WhatIsAcknowledgedIsOnDisk) {
  server().execute({"ALTER DATABASE " + database() + " SET synchronous_commit = off"});
  EXPECT_EQ(shown(*open(), "synchronous_commit"), "on");
  server().execute({"ALTER DATABASE " + database() + " SET synchronous_commit = remote_apply"});
  EXPECT_EQ(shown(*open(), "synchronous_commit"), "remote_apply");  // the stricter setting must stay
}

TEST_P(Postgres, NothingWaitsForEver) {
  std::unique_ptr<Database> const connection = open();
  for (char const* setting : {"lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"}) {
    EXPECT_NE(shown(*connection, setting), "0") << setting;
  }
  std::unique_ptr<Database> const other =
      open_postgres(server().address(database(), "postgres", "options=-c%20lock_timeout%3D7s"), Mode::write);
  EXPECT_EQ(shown(*other, "lock_timeout"), "7s");
  EXPECT_THAT(shown(*connection, "application_name"), HasSubstr("perfcheck "));
}

TEST_P(Postgres, AHistoryMayLieInASchemaOfItsOwn) {
  server().execute({"CREATE TABLE something_else (a BIGINT)", "CREATE SCHEMA \"Perf\""}, database());
  EXPECT_THAT(history_error_of([&] { History(place(), Mode::write); }), HasSubstr("something else"));
  std::string const address = server().address(database(), "postgres", "options=-c%20search_path%3D%22Perf%22");
  EXPECT_NO_THROW(History(address, Mode::write));
  EXPECT_NO_THROW(History(address, Mode::read));
  EXPECT_TRUE(open_postgres(address, Mode::read)->has_table("run"));
  EXPECT_FALSE(open()->has_table("run"));
}

TEST_P(Postgres, AServerThatGoesInTheMiddleLeavesNothingHalf) {
  make_thing();
  std::unique_ptr<Database> const connection = open();
  int64_t const pid = backend(*connection);
  EXPECT_THAT(history_error_of([&] {
                connection->in_transaction([&] {
                  connection->insert("thing", {"name"}, {{"half"}}, "");
                  terminate(pid);
                  connection->insert("thing", {"name"}, {{"other half"}}, "");
                });
              }),
              AllOf(HasSubstr("run the command again"), Not(HasSubstr("not known"))));
  EXPECT_EQ(things(), 0);
  EXPECT_THAT(history_error_of([&] { connection->execute("SELECT 1", {}); }), HasSubstr("run the command again"));
}

TEST_P(Postgres, AConnectionLostInCommitSaysThatTheOutcomeIsNotKnown) {
  make_thing();
  std::unique_ptr<Database> const connection = open();
  int64_t const pid = backend(*connection);
  EXPECT_THAT(history_error_of([&] {
                connection->in_transaction([&] {
                  connection->insert("thing", {"name"}, {{"perhaps"}}, "");
                  terminate(pid);
                });
              }),
              AllOf(HasSubstr("not known"), HasSubstr("Run the command again"), HasSubstr("not added twice")));
}

TEST_P(Postgres, AFailureThatWasSwallowedIsNoSuccess) {
  make_thing();
  std::unique_ptr<Database> const connection = open();
  EXPECT_THROW(connection->in_transaction([&] {
    connection->insert("thing", {"name"}, {{"one"}}, "");
    try {
      connection->insert("thing", {"name"}, {{"one"}}, "");
    } catch (HistoryError const&) {
    }
  }),
               std::logic_error);
  EXPECT_EQ(things(), 0);
}

TEST_P(Postgres, TransactionsDoNotNestAndCallbacksDoNotQuery) {
  std::unique_ptr<Database> const connection = open();
  EXPECT_THROW(connection->in_transaction([&] { connection->in_transaction([] {}); }), std::logic_error);
  EXPECT_THROW(connection->query("SELECT 1", {}, [&](Row const&) { connection->execute("SELECT 2", {}); }),
               std::logic_error);
  EXPECT_NO_THROW(connection->in_transaction([] {}));
}

TEST_P(Postgres, ADeadlockIsTriedAgain) {
  make_thing();
  std::atomic<int> ready = 0;
  std::atomic<int> attempts = 0;
  auto const write = [&](char const* first, char const* second) {
    std::unique_ptr<Database> const connection = open();
    bool met = false;
    connection->in_transaction([&] {
      ++attempts;
      connection->insert("thing", {"name"}, {{std::string_view(first)}}, "ON CONFLICT DO NOTHING");
      if (!std::exchange(met, true)) {  // both hold their first row before either asks for its second
        ++ready;
        EXPECT_TRUE(testing::eventually([&] { return ready == 2; }));
      }
      connection->insert("thing", {"name"}, {{std::string_view(second)}}, "ON CONFLICT DO NOTHING");
    });
  };
  std::future<void> other = std::async(std::launch::async, [&] { write("b", "a"); });
  EXPECT_NO_THROW(write("a", "b"));
  EXPECT_NO_THROW(other.get());
  EXPECT_EQ(things(), 2);
  EXPECT_EQ(attempts, 3);
}

TEST_P(Postgres, AConflictThatNeverEndsIsGivenUp) {
  make_thing();
  std::unique_ptr<Database> const connection = open();
  int attempts = 0;
  EXPECT_THAT(history_error_of([&] {
                connection->in_transaction([&] {
                  ++attempts;
                  connection->run_script("DO $$ BEGIN RAISE EXCEPTION 'never' USING ERRCODE = '40001'; END $$");
                });
              }),
              AllOf(HasSubstr("never"), HasSubstr("try again")));
  EXPECT_EQ(attempts, 10);
}

TEST_P(Postgres, WhoHoldsALockIsNamed) {
  make_thing();
  std::unique_ptr<Database> const holder =
      open_postgres(server().address(database(), "postgres", "application_name=sleepy"), Mode::write);
  std::unique_ptr<Database> const waiter =
      open_postgres(server().address(database(), "postgres", "options=-c%20lock_timeout%3D100ms"), Mode::write);
  holder->in_transaction([&] {
    holder->insert("thing", {"name"}, {{"mine"}}, "");
    EXPECT_THAT(
        history_error_of([&] { waiter->in_transaction([&] { waiter->insert("thing", {"name"}, {{"mine"}}, ""); }); }),
        AllOf(HasSubstr("lock timeout"), HasSubstr("sleepy"),
              HasSubstr("pg_terminate_backend(" + std::to_string(backend(*holder)) + ")")));
  });
  EXPECT_EQ(things(), 1);
}

TEST_P(Postgres, AReaderSeesOneStateThroughoutItsTransaction) {
  make_thing();
  std::unique_ptr<Database> const reader = open(Mode::read);
  auto const count = [&] {
    int64_t found = 0;
    reader->query("SELECT count(*) FROM thing", {}, [&](Row const& row) { found = row.integer(0); });
    return found;
  };
  reader->in_transaction([&] {
    EXPECT_EQ(count(), 0);
    open()->insert("thing", {"name"}, {{"new"}}, "");
    EXPECT_EQ(count(), 0);
  });
  EXPECT_EQ(count(), 1);
}

TEST_P(Postgres, NoticesAreNotPrinted) {
  std::unique_ptr<Database> const connection =
      open_postgres(server().address(database(), "postgres", "options=-c%20client_min_messages%3Dnotice"), Mode::write);
  ::testing::internal::CaptureStderr();
  connection->run_script("DO $$ BEGIN RAISE NOTICE 'hello'; END $$; DROP TABLE IF EXISTS nothing_there");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_P(Postgres, AnAnswerNeedNotFitIntoMemory) {
  std::unique_ptr<Database> const connection = open();
  int64_t rows = 0;
  double sum = 0;
  connection->query("SELECT i, i * 0.5::float8 FROM generate_series(1, 200000) AS i", {}, [&](Row const& row) {
    ++rows;
    sum += row.real(1);
  });
  EXPECT_EQ(rows, 200'000);
  EXPECT_EQ(sum, 0.25 * 200'000.0 * 200'001.0);
}

}  // namespace
}  // namespace perfcheck::history
