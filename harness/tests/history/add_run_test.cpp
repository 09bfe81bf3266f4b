// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "samples.h"
#include "schema.h"
#include "writer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

namespace perfcheck::history {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Cannot hold the character U+0000, as PostgreSQL, and stores something else in its place.
class RepairingDatabase : public Database {
 public:
  void run_script(std::string const& sql) override { database_->run_script(sql); }
  void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback) override {
    std::deque<std::string> texts;
    database_->query(sql, repaired(parameters, texts), callback);
  }
  void insert(std::string const& table, std::vector<std::string> const& columns,
              std::vector<std::vector<Parameter>> const& rows, std::string const& conflict) override {
    std::deque<std::string> texts;
    std::vector<std::vector<Parameter>> stored;
    for (std::vector<Parameter> const& row : rows) {
      stored.push_back(repaired(row, texts));
    }
    database_->insert(table, columns, stored, conflict);
  }
  bool has_table(std::string const& name) override { return database_->has_table(name); }
  bool is_empty() override { return database_->is_empty(); }
  void in_transaction(std::function<void()> const& work) override { database_->in_transaction(work); }
  void in_exclusive_transaction(std::function<void()> const& work) override {
    database_->in_exclusive_transaction(work);
  }

 private:
  static std::vector<Parameter> repaired(std::vector<Parameter> parameters, std::deque<std::string>& texts) {
    for (Parameter& parameter : parameters) {
      if (auto const* const text = std::get_if<std::string_view>(&parameter)) {
        std::string& copy = texts.emplace_back(*text);
        std::replace(copy.begin(), copy.end(), '\0', '?');
        parameter = std::string_view(copy);
      }
    }
    return parameters;
  }

  std::unique_ptr<Database> database_ = open_sqlite(":memory:", Mode::write);
};

TEST(AddRun, ACaseIdThatTheDatabaseCannotHoldIsAnErrorOfTheHistory) {
  RepairingDatabase database;
  bring_up_to_date(database, "h", migrations());
  model::Run const run = testing::sample_run(1);
  RunDecision decision = testing::sample_decision(run);
  EXPECT_EQ(add_run(database, "h", run, decision), History::Added::added);
  decision.cases[std::string("kernel@a\0b", 10)] = {};
  EXPECT_THAT(
      [&] { add_run(database, "h", testing::sample_run(2), decision); },
      ThrowsMessage<HistoryError>(AllOf(HasSubstr("h: run "), HasSubstr("cannot hold the case id \"kernel@a"))));
}

}  // namespace
}  // namespace perfcheck::history
