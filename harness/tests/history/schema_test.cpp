// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include "samples.h"

#include <gmock/gmock.h>

#include <climits>
#include <cstdint>
#include <string>

namespace perfcheck::history {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<std::string> columns_of(Database& database, std::string const& table) {
  std::vector<std::string> names;
  database.query("SELECT name FROM pragma_table_info($1)", {std::string_view(table)},
                 [&](Row const& row) { names.emplace_back(row.text(0)); });
  return names;
}

class SchemaTest : public ::testing::Test {
 protected:
  std::unique_ptr<Database> database_ = open_sqlite(":memory:", Mode::write);
  std::vector<std::string> const first_{"CREATE TABLE note (text {text})"};
  std::vector<std::string> const second_{
      first_[0], "ALTER TABLE note ADD COLUMN author {text}; UPDATE note SET author = 'nobody'"};
};

TEST_F(SchemaTest, AnEmptyDatabaseHasVersionZeroAndGetsEveryScript) {
  EXPECT_EQ(version_of(*database_, "h"), 0);
  bring_up_to_date(*database_, "h", second_);
  EXPECT_EQ(version_of(*database_, "h"), 2);
  EXPECT_EQ(columns_of(*database_, "note").size(), 2U);
}

TEST_F(SchemaTest, AnOlderOneGetsOnlyWhatItLacksAndKeepsItsRows) {
  bring_up_to_date(*database_, "h", first_);
  database_->run_script("INSERT INTO note VALUES ('kept')");
  bring_up_to_date(*database_, "h", second_);
  bring_up_to_date(*database_, "h", second_);
  std::string found;
  database_->query("SELECT text, author FROM note", {},
                   [&](Row const& row) { found += std::string(row.text(0)) + " by " + std::string(row.text(1)); });
  EXPECT_EQ(found, "kept by nobody");
}

TEST_F(SchemaTest, AScriptThatFailsHalfwayLeavesTheOlderVersion) {
  bring_up_to_date(*database_, "h", first_);
  std::vector<std::string> broken = second_;
  broken.emplace_back("CREATE TABLE more (x {integer}); this is no statement");
  EXPECT_THROW(bring_up_to_date(*database_, "h", broken), HistoryError);
  EXPECT_EQ(version_of(*database_, "h"), 1);
  EXPECT_EQ(columns_of(*database_, "note").size(), 1U);
  EXPECT_FALSE(database_->has_table("more"));
}

TEST_F(SchemaTest, ReadersAskForAnUpgradeAndRefuseANewerVersion) {
  bring_up_to_date(*database_, "h", first_);
  EXPECT_THAT([&] { require_up_to_date(*database_, "h", second_); },
              ThrowsMessage<HistoryError>(HasSubstr("perfcheck history upgrade --history h")));
  bring_up_to_date(*database_, "h", second_);
  require_up_to_date(*database_, "h", second_);
  EXPECT_THAT([&] { require_up_to_date(*database_, "h", first_); },
              ThrowsMessage<HistoryError>(HasSubstr("newer perfcheck")));
  EXPECT_THAT([&] { bring_up_to_date(*database_, "h", first_); },
              ThrowsMessage<HistoryError>(HasSubstr("newer perfcheck")));
}

TEST_F(SchemaTest, AVersionThatIsNoneIsDamageForReadersAndWriters) {
  bring_up_to_date(*database_, "h", second_);
  for (int64_t const version : {int64_t{-1}, int64_t{INT_MAX} + 1, INT64_MIN, INT64_MAX}) {
    database_->execute("UPDATE perfcheck_history SET version = $1", {version});
    auto const damaged = ThrowsMessage<HistoryError>(
        AllOf(HasSubstr("h: is damaged: "), HasSubstr(std::to_string(version)), HasSubstr("restore it from a copy")));
    EXPECT_THAT([&] { require_up_to_date(*database_, "h", second_); }, damaged);
    EXPECT_THAT([&] { bring_up_to_date(*database_, "h", second_); }, damaged);
  }
}

}  // namespace
}  // namespace perfcheck::history
