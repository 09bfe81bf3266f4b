// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/case_table.h"

#include <gmock/gmock.h>

namespace perfcheck::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

CaseRow row(std::string const& id, std::string const& outcome) {
  CaseRow result;
  result.id = id;
  result.outcome = outcome;
  return result;
}

std::vector<CaseRow> some() {
  CaseRow slow = row("k/slow@p", "regressed");
  slow.failed = true;
  slow.reason = "ratio +3.00 %";
  slow.time_ns = 181e3;
  slow.flop = 52.1 * 181e6;
  slow.ratio = 1 / 0.97;
  slow.change = gate::Witness{.change = 0.03, .low = 0.028, .high = 0.032};
  slow.noise = 0.0012;
  CaseRow fine = row("k/fine@p", "pass");
  fine.rank = 11;
  fine.time_ns = 1e3;
  CaseRow left_out = row("k/big@p", "skipped");
  left_out.rank = 12;
  left_out.skip_reason = model::SkipReason::suite_rule;
  left_out.reason = "too slow";
  return {slow, fine, left_out};
}

TEST(CaseTable, IsAlignedAndLeavesOutEmptyColumns) {
  EXPECT_EQ(case_table(some(), {}),
            "case          time  TFLOP/s  % of ref                    change   noise  outcome\n"
            "k/slow@p  181.0 us    52.10    97.0 %  +3.00 % (+2.80 to +3.20)  0.12 %  regressed\n"
            "k/fine@p  1.000 us        -         -                         -       -  pass\n"
            "skipped: 1 suite_rule (--verbose lists them)\n"
            "\n"
            "k/slow@p\n"
            "    regressed: ratio +3.00 %\n");
}

TEST(CaseTable, TextsFromOutsideForgeNoLineAndReachNoTerminal) {
  CaseRow row = some().front();
  row.id = "k/\x1b[2Jslow@p\n1 cases: 1 pass; exit code 0";
  row.reason = "over\r\nexit code 0\xc2\x9b";
  row.also_changed = "card\x1b]0;title\x07";
  std::string const text = case_table({row}, {});
  for (char const* const hidden : {"\x1b", "\xc2\x9b", "\r", "\x07", "\n1 cases", "\nexit"}) {
    EXPECT_THAT(text, Not(HasSubstr(hidden)));
  }
  EXPECT_THAT(
      text,
      HasSubstr("\nk/[2Jslow@p 1 cases: 1 pass; exit code 0\n    regressed: over  exit code 0\n    card]0;title"));
}

TEST(CaseTable, CanListSkippedCasesWithTheirReasons) {
  std::string const text = case_table(some(), {.rows = TableStyle::Rows::all_and_skipped});
  EXPECT_THAT(text, HasSubstr("k/big@p"));
  EXPECT_THAT(text, HasSubstr("skipped: too slow"));
}

TEST(CaseTable, CanShowOnlyWhatNeedsAttention) {
  std::string const text = case_table(some(), {.rows = TableStyle::Rows::attention});
  EXPECT_THAT(text, HasSubstr("k/slow@p"));
  EXPECT_THAT(text, Not(HasSubstr("k/fine@p")));
  EXPECT_EQ(case_table({some()[1]}, {.rows = TableStyle::Rows::attention}), "");
}

TEST(CaseTable, ColoursTheOutcomeOnlyWhenAsked) {
  EXPECT_THAT(case_table(some(), {.color = Color::on}), HasSubstr("\x1b[31mregressed\x1b[0m"));
  EXPECT_THAT(case_table(some(), {}), Not(HasSubstr("\x1b")));
}

TEST(CaseTable, SaysACommonReasonOnce) {
  CaseRow a = row("a@p", "no_baseline"), b = row("b@p", "no_baseline");
  a.failed = b.failed = true;
  a.reason = b.reason = "record it";
  EXPECT_THAT(case_table({a, b}, {}), HasSubstr("2 cases, a@p first\n    no_baseline: record it\n"));
}

TEST(CaseTable, SaysWhatElseChangedBelowTheReason) {
  std::vector<CaseRow> rows = some();
  rows[0].also_changed = "also changed: registers 128 -> 168";
  EXPECT_THAT(case_table(rows, {}), EndsWith("k/slow@p\n"
                                             "    regressed: ratio +3.00 %\n"
                                             "    also changed: registers 128 -> 168\n"));
  rows[1].also_changed = "also changed: driver 1 -> 2";
  EXPECT_THAT(case_table(rows, {}), Not(HasSubstr("driver"))) << "a passing case must give no reasons";
}

TEST(CaseTable, SharesNoReasonBetweenCasesThatChangedDifferently) {
  CaseRow a = row("a@p", "inconclusive"), b = row("b@p", "inconclusive"), c = row("c@p", "inconclusive");
  a.failed = b.failed = c.failed = true;
  a.reason = b.reason = c.reason = "not significant";
  a.also_changed = c.also_changed = "also changed: grid 1x1x1 -> 2x1x1";
  EXPECT_THAT(case_table({a, b, c}, {}),
              EndsWith("2 cases, a@p first\n    inconclusive: not significant\n    also changed: grid 1x1x1 -> 2x1x1\n"
                       "b@p\n    inconclusive: not significant\n"));
}

TEST(SightLine, SaysWhatWouldBeSeenAndWhereLeast) {
  std::vector<CaseRow> rows = some();
  EXPECT_EQ(sight_line(rows), "") << "nothing was compared, or nothing can be said about what is seen";
  rows[0].disturbed = true;
  EXPECT_EQ(sight_line(rows), "no slowdown is seen: neighbours disturb the machine\n");
  rows[1].detectable = 0.0081;
  EXPECT_EQ(sight_line(rows), "a slowdown is seen from 0.8 % on in k/fine@p; none in 1 that neighbours disturb\n");
  rows[0].disturbed = false;
  rows[0].detectable = 1.34;
  for (int i = 0; i < 9; ++i) {
    rows.push_back(row("k/other@p", "pass"));
    rows.back().detectable = 0.01;
  }
  EXPECT_EQ(sight_line(rows),
            "a slowdown is seen from 1.0 % on in half of the cases, 1.0 % in nine of ten, 134 % in k/slow@p\n");
}

TEST(PassLine, SaysWhatThePassesExclude) {
  std::vector<CaseRow> rows = some();
  EXPECT_EQ(pass_line(rows), "") << "nothing that passed was compared";
  rows[1].at_most = 0.0042;
  EXPECT_EQ(pass_line(rows), "the pass says: no slowdown above 0.4 % in k/fine@p (95 %)\n");
  for (int i = 0; i < 9; ++i) {
    rows.push_back(row("k/other@p", "pass"));
    rows.back().at_most = 0.001;
  }
  EXPECT_EQ(pass_line(rows),
            "the passes say: no slowdown above 0.1 % in half of them, 0.1 % in nine of ten, 0.4 % in k/fine@p (95 % "
            "each)\n");
}

TEST(CountLine, CountsByOutcome) {
  EXPECT_EQ(count_line(some()), "3 cases: 1 regressed, 1 pass, 1 skipped");
  EXPECT_EQ(count_line({}), "0 cases");
  std::vector<CaseRow> rows = some();
  rows.push_back(row("k/only_verified@p", "verified"));
  rows.back().rank = rows[2].rank;
  EXPECT_EQ(count_line(rows), "4 cases: 1 regressed, 1 pass, 1 skipped, 1 verified");
}

}  // namespace
}  // namespace perfcheck::report
