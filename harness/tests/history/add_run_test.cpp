// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/history/history.h"
#include "perfcheck/model/json.h"
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

/// A database that, like PostgreSQL, cannot hold the character U+0000 and replaces it.
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

TEST(AddRun, KeepsProofDeclarationsAndWhatIsNotBelieved) {
  model::Run run = testing::sample_run(1);
  run.kernels[0].executes = "i8";
  run.kernels[0].work_share = 0.875;
  for (model::Session& session : run.sessions) {
    session.device.peak_cache_gb_s = 5500;
    session.device.empty_launch_ns = 800;
    session.cases[0].proof =
        model::Proof{.replays = 40, .compared = 11, .outputs_compared = 264, .clock_deviation = 0.01};
  }
  model::CaseResult& impossible = run.sessions[1].cases[1];
  impossible.status = model::CaseStatus::implausible;
  impossible.message = "0.68 us per launch is 2.9 times faster than the device can";
  impossible.rounds.reset();
  History history(":memory:", Mode::write);
  history.add(run, std::nullopt);
  EXPECT_EQ(model::run_to_text(history.run(history.runs().front())), model::run_to_text(run));
  std::string status;
  for (SeriesEntry const& series : history.series()) {
    if (series.case_id == impossible.id) {
      history.read(series, [&](Result const& result) {
        status = model::to_text(result.status);
        EXPECT_EQ(result.time_ns, std::nullopt) << "the time of the good session alone must not be the result";
      });
    }
  }
  EXPECT_EQ(status, "implausible");
}

}  // namespace
}  // namespace perfcheck::history
