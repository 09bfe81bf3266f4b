// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What both engines guarantee.
#include "database.h"

#include "engines.h"
#include "outrun.h"
#include "schema.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <future>
#include <limits>
#include <stdexcept>
#include <thread>

namespace perfcheck::history {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::history_error_of;

class DatabaseTest : public testing::OnEngine {
 protected:
  void SetUp() override {
    OnEngine::SetUp();
    if (IsSkipped()) {
      return;
    }
    database_ = open();
    database_->run_script(
        "CREATE TABLE thing (id {row_number}, name {text} NOT NULL UNIQUE, number {integer}, value {real}, body "
        "{bytes});"
        "CREATE TABLE pair (a {integer}, b {integer}, PRIMARY KEY (a, b)) {clustered}");
  }

  Database& database() { return *database_; }
  void add(std::string const& name, Parameter const& number = {}, Parameter const& value = {},
           Parameter const& body = {}) {
    database_->insert("thing", {"name", "number", "value", "body"}, {{std::string_view(name), number, value, body}},
                      "");
  }
  std::vector<std::string> names(Database& from) const {
    std::vector<std::string> found;
    from.query("SELECT name FROM thing ORDER BY name", {}, [&](Row const& row) { found.emplace_back(row.text(0)); });
    return found;
  }
  std::vector<std::string> names() { return names(*database_); }

 private:
  std::unique_ptr<Database> database_;
};

INSTANTIATE_TEST_SUITE_P(On, DatabaseTest, ::testing::Values(testing::Engine::sqlite, testing::Engine::postgres),
                         testing::engine_name);

TEST_P(DatabaseTest, WholeNumbersComeBack) {
  std::vector<int64_t> const numbers = {
      0, 1, -1, 255, 65536, 1'000'000'007, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    add("n" + std::to_string(i), numbers[i]);
  }
  std::vector<int64_t> found;
  database().query("SELECT number FROM thing ORDER BY id", {},
                   [&](Row const& row) { found.push_back(row.integer(0)); });
  EXPECT_EQ(found, numbers);
}

TEST_P(DatabaseTest, RealNumbersComeBackToTheLastBit) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> const numbers = {0.0,
                                       -0.0,
                                       0.1,
                                       1.0 / 3,
                                       -2.5e-300,
                                       Limits::max(),
                                       Limits::min(),
                                       Limits::denorm_min(),
                                       Limits::infinity(),
                                       -Limits::infinity(),
                                       91234.5,
                                       0.30000000000000004};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    add("n" + std::to_string(i), {}, numbers[i]);
  }
  std::vector<double> found;
  database().query("SELECT value FROM thing ORDER BY id", {}, [&](Row const& row) { found.push_back(row.real(0)); });
  ASSERT_EQ(found.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(found[i], numbers[i]);
  }
}

TEST_P(DatabaseTest, NothingAndNotANumberAreNull) {
  add("null");
  add("not a number", int64_t{1}, std::nan(""), Bytes{""});
  std::vector<bool> nulls;
  database().query("SELECT number, value, body FROM thing ORDER BY id", {}, [&](Row const& row) {
    for (int column = 0; column < 3; ++column) {
      nulls.push_back(row.is_null(column));
    }
    EXPECT_TRUE(std::isnan(row.real(1)));
    EXPECT_EQ(row.optional_real(1), std::nullopt);
    EXPECT_EQ(row.bytes(2), "");
  });
  EXPECT_THAT(nulls, ElementsAre(true, true, true, false, true, false));
}

TEST_P(DatabaseTest, TextsComeBack) {
  std::vector<std::string> const texts = {"",
                                          "it's \"quoted\"; DROP TABLE thing; --",
                                          "line\nbreak\ttab\\backslash\x01",
                                          "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x9A\x80",
                                          "$1 {text} %s",
                                          std::string(100'000, 'x')};
  for (std::string const& text : texts) {
    database().insert("thing", {"name"}, {{std::string_view(text.substr(0, 2000))}}, "ON CONFLICT DO NOTHING");
    std::string found = "nothing";
    database().query("SELECT name FROM thing WHERE name = $1", {std::string_view(text.substr(0, 2000))},
                     [&](Row const& row) { found = row.text(0); });
    EXPECT_EQ(found, text.substr(0, 2000));
  }
  add("long", {}, {}, Bytes{texts.back()});
  database().query("SELECT body FROM thing WHERE name = 'long'", {},
                   [&](Row const& row) { EXPECT_EQ(row.bytes(0), texts.back()); });
}

TEST_P(DatabaseTest, BytesComeBackWithZerosAmongThem) {
  std::string all;
  for (int i = 0; i < 1024; ++i) {
    all += static_cast<char>(i);
  }
  add("all", {}, {}, Bytes{all});
  add("none", {}, {}, Bytes{});
  std::vector<std::string> found;
  database().query("SELECT body FROM thing ORDER BY id", {}, [&](Row const& row) { found.emplace_back(row.bytes(0)); });
  EXPECT_THAT(found, ElementsAre(all, ""));
}

TEST_P(DatabaseTest, TextsAreInTheOrderOfTheirBytes) {
  for (char const* name : {"b", "B", "a", "A", "_", "1", "\xC3\xA9"}) {
    add(name);
  }
  EXPECT_THAT(names(), ElementsAre("1", "A", "B", "_", "a", "b", "\xC3\xA9"));
}

TEST_P(DatabaseTest, RowsCountThemselves) {
  add("first");
  int64_t number = 0;
  database().query("INSERT INTO thing (name) VALUES ($1) RETURNING id", {std::string_view("second")},
                   [&](Row const& row) { number = row.integer(0); });
  EXPECT_EQ(number, 2);
}

TEST_P(DatabaseTest, CountsAndSumsAreNumbers) {
  for (int64_t i = 1; i <= 3; ++i) {
    add("n" + std::to_string(i), i * 1'000'000'000, 0.5 * static_cast<double>(i));
  }
  database().query("SELECT count(*), sum(number), max(number), sum(value), -sum(number) FROM thing", {},
                   [](Row const& row) {
                     EXPECT_EQ(row.integer(0), 3);
                     EXPECT_EQ(row.integer(1), 6'000'000'000);
                     EXPECT_EQ(row.integer(2), 3'000'000'000);
                     EXPECT_EQ(row.real(3), 3.0);
                     EXPECT_EQ(row.real(4), -6e9);
                   });
}

TEST_P(DatabaseTest, AnyNumberOfRowsIsInserted) {
  std::vector<std::vector<Parameter>> rows;
  for (int64_t i = 0; i < 40'000; ++i) {
    rows.push_back({i, i % 7 == 0 ? Parameter() : Parameter(-i)});
  }
  database().run_script("CREATE TABLE many (a {integer}, b {integer})");
  database().in_transaction([&] {  // one transaction: a commit per row would wait for the disk each time
    database().insert("many", {"a", "b"}, rows, "");
    database().insert("many", {"a", "b"}, {}, "");
  });
  int64_t expected = 0;
  int64_t nulls = 0;
  database().query("SELECT a, b FROM many ORDER BY a", {}, [&](Row const& row) {
    EXPECT_EQ(row.integer(0), expected++);
    nulls += row.is_null(1) ? 1 : 0;
  });
  EXPECT_EQ(expected, 40'000);
  EXPECT_EQ(nulls, 40'000 / 7 + 1);
}

TEST_P(DatabaseTest, AConflictIsIgnoredOnRequestAndElseAnError) {
  add("there", int64_t{1});
  database().insert("thing", {"name", "number"}, {{"there", int64_t{2}}, {"new", int64_t{3}}},
                    "ON CONFLICT DO NOTHING");
  EXPECT_THAT(names(), ElementsAre("new", "there"));
  EXPECT_NE(history_error_of([&] { add("there"); }), "");
  database().query("SELECT number FROM thing WHERE name = 'there'", {},
                   [](Row const& row) { EXPECT_EQ(row.integer(0), 1); });
}

TEST_P(DatabaseTest, AnExceptionRollsBackAndPassesOn) {
  struct Stop {};
  EXPECT_THROW(database().in_transaction([&] {
    add("half");
    throw Stop();
  }),
               Stop);
  EXPECT_THAT(names(), ElementsAre());
  EXPECT_NE(history_error_of([&] {
              database().in_transaction([&] {
                add("half");
                add("half");
              });
            }),
            "");
  EXPECT_THAT(names(), ElementsAre());
  database().in_transaction([&] { add("whole"); });
  EXPECT_THAT(names(), ElementsAre("whole"));
}

TEST_P(DatabaseTest, AnExceptionInACallbackLeavesTheConnectionUsable) {
  for (int i = 0; i < 500; ++i) {
    add("n" + std::to_string(i));
  }
  int seen = 0;
  EXPECT_THROW(database().query("SELECT name FROM thing", {},
                                [&](Row const&) {
                                  if (++seen == 3) throw std::runtime_error("enough");
                                }),
               std::runtime_error);
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(names().size(), 500U);
}

TEST_P(DatabaseTest, AStatementThatIsWrongLeavesTheConnectionUsable) {
  EXPECT_THAT(history_error_of([&] { database().execute("SELECT 1 FROM nowhere", {}); }), HasSubstr("nowhere"));
  EXPECT_NE(history_error_of([&] { database().run_script("CREATE NONSENSE"); }), "");
  add("after");
  EXPECT_THAT(names(), ElementsAre("after"));
}

TEST_P(DatabaseTest, OthersSeeATransactionAsAWholeOrNotAtAll) {
  std::unique_ptr<Database> const other = open(Mode::read);
  database().in_transaction([&] {
    add("one");
    EXPECT_THAT(names(*other), ElementsAre());
    add("two");
  });
  EXPECT_THAT(names(*other), ElementsAre("one", "two"));
}

TEST_P(DatabaseTest, WritersWaitForEachOther) {
  std::atomic<bool> holds = false;
  std::atomic<bool> committed = false;
  auto const other = std::async(std::launch::async, [&] {
    std::unique_ptr<Database> const connection = open();
    connection->in_transaction([&] {
      connection->insert("thing", {"name"}, {{"shared"}}, "");
      holds = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      committed = true;
    });
  });
  ASSERT_TRUE(testing::eventually([&] { return holds.load(); }));
  int64_t seen = 0;
  int attempts = 0;
  database().in_transaction([&] {
    ++attempts;
    database().insert("thing", {"name"}, {{"shared"}}, "ON CONFLICT DO NOTHING");
    EXPECT_TRUE(committed);
    // The row that the other connection committed in the meantime is visible.
    database().query("SELECT count(*) FROM thing WHERE name = 'shared'", {},
                     [&](Row const& row) { seen = row.integer(0); });
  });
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(attempts, 1);  // waiting must not count as a failed attempt
}

TEST_P(DatabaseTest, ExclusiveTransactionsExcludeEachOther) {
  std::atomic<int> inside = 0;
  std::atomic<int> done = 0;
  std::vector<std::future<void>> all;
  for (int i = 0; i < 6; ++i) {
    all.push_back(std::async(std::launch::async, [&] {
      std::unique_ptr<Database> const connection = open();
      connection->in_exclusive_transaction([&] {
        EXPECT_EQ(++inside, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        --inside;
        ++done;
      });
    }));
  }
  for (std::future<void>& one : all) {
    EXPECT_NO_THROW(one.get());
  }
  EXPECT_EQ(done, 6);
}

TEST_P(DatabaseTest, AReaderCannotWrite) {
  std::unique_ptr<Database> const reader = open(Mode::read);
  EXPECT_THAT(history_error_of([&] { reader->insert("thing", {"name"}, {{"mine"}}, ""); }), HasSubstr("read"));
  EXPECT_NE(history_error_of([&] { reader->run_script("CREATE TABLE mine (a {integer})"); }), "");
  EXPECT_THAT(names(), ElementsAre());
}

TEST_P(DatabaseTest, TablesAreFound) {
  EXPECT_TRUE(database().has_table("thing"));
  EXPECT_FALSE(database().has_table("thin"));
  EXPECT_FALSE(database().is_empty());
  database().run_script("DROP TABLE thing; DROP TABLE pair");
  EXPECT_FALSE(database().has_table("thing"));
  EXPECT_TRUE(database().is_empty());
}

TEST_P(DatabaseTest, AWriterKilledInItsTransactionLeavesWhatWasThereToReaders) {
  // More than SQLite keeps in memory, so part of it is already in the file.
  std::string const large(GetParam() == testing::Engine::sqlite ? 80 << 20 : 1 << 20, 'x');
  add("before");
  pid_t const child = ::fork();
  if (child == 0) {
    std::unique_ptr<Database> const connection = open();
    connection->in_transaction([&] {
      connection->insert("thing", {"name", "body"}, {{"half", Bytes{large}}}, "");
      (void)::kill(::getpid(), SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(names(*open(Mode::read)), ElementsAre("before"));
  add("after");
  EXPECT_THAT(names(), ElementsAre("after", "before"));
}

TEST_P(DatabaseTest, AScriptWithinATransactionIsPartOfIt) {
  EXPECT_THROW(database().in_exclusive_transaction([&] {
    database().run_script("CREATE TABLE extra (a {integer}); CREATE INDEX extra_a ON extra (a)");
    EXPECT_TRUE(database().has_table("extra"));
    throw std::runtime_error("stop");
  }),
               std::runtime_error);
  EXPECT_FALSE(database().has_table("extra"));
}

TEST_P(DatabaseTest, SomebodyElseMayBeginTheHistoryBetweenTwoQuestions) {
  for (bool const writes : {true, false}) {
    start_over();
    std::unique_ptr<Database> const slow = open();
    testing::Outrun outrun(*slow, [&] { bring_up_to_date(*open(), "history", migrations()); });
    if (writes) {
      EXPECT_NO_THROW(bring_up_to_date(outrun, "history", migrations()));
    } else {
      // Both answers are right: the history was not there at the first question, and is there now.
      EXPECT_NO_THROW((void)version_of(outrun, "history"));
    }
    EXPECT_EQ(version_of(*slow, "history"), static_cast<int>(migrations().size()));
  }
}

}  // namespace
}  // namespace perfcheck::history
