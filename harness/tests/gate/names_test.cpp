// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/names.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::gate {
namespace {

using model::CaseStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::vector<model::Session> sessions(std::vector<std::pair<std::string, CaseStatus>> const& results) {
  model::Session session;
  for (auto const& [id, status] : results) {
    session.cases.emplace_back().id = id;
    session.cases.back().status = status;
  }
  return {session};
}

/// The trusted configuration renames old to a; the change renames a to b and x to y.
Names names() {
  model::Rename const trusted{.from = "old", .to = "a", .place = "target.toml:1"};
  Names names{.renamed = model::Renames({trusted}),
              .retired = {{.pattern = "gone*", .reason = "no use", .place = "target.toml:2"}},
              .proposed = model::Renames({trusted,
                                          {.from = "a", .to = "b", .place = "change.toml:1"},
                                          {.from = "x", .to = "y", .place = "change.toml:2"}}),
              .retiring = {{.pattern = "z", .reason = "it is slow", .place = "change.toml:3"}}};
  return names;
}

TEST(Counted, AreRenamesOfTheChangeThatBothBuildsMeasured) {
  struct Row {
    char const* name;
    std::vector<std::pair<std::string, CaseStatus>> base, head;
    char const* now;  ///< today's id of a@p
  };
  CaseStatus const ok = CaseStatus::measured;
  for (Row const& row : std::vector<Row>{
           {"both", {{"a@p", ok}}, {{"b@p", ok}}, "b@p"},
           {"under an older id", {{"old@p", ok}}, {{"b@p", ok}}, "b@p"},
           {"wrong now", {{"a@p", ok}}, {{"b@p", CaseStatus::incorrect}}, "b@p"},
           {"the head skips it", {{"a@p", ok}}, {{"b@p", CaseStatus::skipped}}, "a@p"},
           {"the head lacks it", {{"a@p", ok}}, {{"c@p", ok}}, "a@p"},
           {"the base lacks it", {{"c@p", ok}}, {{"b@p", ok}}, "a@p"},
           {"the base could not", {{"a@p", CaseStatus::crashed}}, {{"b@p", ok}}, "a@p"},
           {"another problem", {{"a@q", ok}}, {{"b@q", ok}}, "a@p"},
           {"no base", {}, {{"b@p", ok}}, "a@p"},
       }) {
    model::Renames const renames = counted(names(), sessions(row.base), sessions(row.head));
    EXPECT_EQ(renames.now("a@p"), row.now) << row.name;
    EXPECT_EQ(renames.now("old@p"), row.now) << row.name;
    EXPECT_EQ(renames.now("x@p"), "x@p") << row.name;
  }
}

TEST(OldIds, AreThoseThatAreCalledOtherwiseNow) {
  model::Baseline baseline;
  baseline.cases["old@p"] = baseline.cases["other@p"] = {};
  EXPECT_THAT(old_ids(baseline, names().renamed), ElementsAre(Pair("a@p", "old@p")));
  EXPECT_THAT(old_ids(sessions({{"old@p", CaseStatus::measured}, {"a@q", CaseStatus::measured}}), names().renamed),
              ElementsAre(Pair("a@p", "old@p")));
}

TEST(Retired, CasesNeedNotRunUnlessTheyDo) {
  std::set<std::string> scope{"gone@p", "gone@q", "gone_too@p", "a@p"};
  std::vector<std::string> const notes = leave_out_retired(scope, names().retired, {"gone@q"});
  EXPECT_THAT(scope, UnorderedElementsAre("gone@q", "a@p"));
  EXPECT_THAT(notes, ElementsAre("retired: gone* (no use): 2 cases need not run"));
  EXPECT_THAT(leave_out_retired(scope, names().retired, {"gone@q"}), IsEmpty());
}

CaseDecision decision(std::string const& id, model::Verdict verdict) {
  CaseDecision one;
  one.id = id;
  one.verdict = verdict;
  one.reason_code = "code";
  return one;
}

TEST(TellNames, SaysWhatCountedAndWhatDidNot) {
  Decisions decisions;
  for (char const* id : {"b@p", "b@q", "a@r"}) decisions.cases.push_back(decision(id, model::Verdict::pass));
  for (char const* id : {"a@s", "z@p", "other@p"}) decisions.cases.push_back(decision(id, model::Verdict::missing));
  tell_names(decisions, names(), {{"b@p", "a@p"}, {"b@q", "old@q"}, {"a@r", "old@r"}});
  std::vector<std::string> from, codes;
  for (CaseDecision const& one : decisions.cases) {
    from.push_back(one.renamed_from);
    codes.push_back(one.reason_code);
  }
  EXPECT_THAT(from, ElementsAre("a@p", "old@q", "old@r", "", "", ""));
  EXPECT_THAT(codes, ElementsAre("code", "code", "code", "rename_not_measured", "retired_by_the_change", "code"));
  EXPECT_THAT(decisions.cases[3].reason, HasSubstr("the change calls it b@s (change.toml:1)"));
  EXPECT_THAT(decisions.cases[4].reason, HasSubstr("change.toml:3: it is slow"));
  EXPECT_THAT(decisions.notes, ElementsAre(HasSubstr("renamed by this change: a is b now; 1 case,"),
                                           HasSubstr("renamed by this change: old is b now; 1 case,")))
      << "renames of the target branch need no note";
}

TEST(Margin, OfAnyIdThatACaseHadHolds) {
  Policy policy{.margin = 0.01, .margins = {{"old", 0.2}, {"c@*", 0.3}, {"a@q", 0.4}, {"a@r", 0.5}}};
  EXPECT_EQ(margin_of(policy, "a@p"), 0.01);
  policy.renamed = names().renamed;
  EXPECT_EQ(margin_of(policy, "a@p"), 0.2);
  EXPECT_EQ(margin_of(policy, "a@q"), 0.4) << "the last match must win";
  EXPECT_EQ(margin_of(policy, "c@p"), 0.3);
  EXPECT_EQ(margin_of(policy, "old@r"), 0.5) << "a case recorded before the rename must be found by its old id";
}

}  // namespace
}  // namespace perfcheck::gate
