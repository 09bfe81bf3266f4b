// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/case_rows.h"

#include <gtest/gtest.h>

namespace perfcheck::report {
namespace {

model::CaseResult measured(std::string const& id, std::string const& reference, double time_ns, double reference_ns) {
  model::CaseResult result;
  result.id = id;
  result.reference = reference;
  result.status = model::CaseStatus::measured;
  result.work = {.flop = 2e6, .bytes = 5e5};
  result.arithmetic = "f32";
  result.rounds.emplace();
  result.rounds->time_ns = {time_ns, time_ns, time_ns};
  result.rounds->reference_time_ns = {reference_ns, reference_ns, reference_ns};
  result.rounds->clock_mhz = result.rounds->reference_clock_mhz = {1000, 1000, 1000};
  return result;
}

model::Run run_of(std::vector<model::CaseResult> cases) {
  model::Run run;
  model::Session& session = run.sessions.emplace_back();
  session.device.peak_tflops = {{"f32", 10}};
  session.cases = std::move(cases);
  return run;
}

TEST(CaseRows, FiguresOfACase) {
  std::vector<CaseRow> const rows =
      rows_of(run_of({measured("s/fast@p", "s/lib@p", 1000, 500), measured("s/naive@p", "s/lib@p", 8000, 500),
                      measured("s/lib@p", "s/lib@p", 500, 500)}));
  ASSERT_EQ(rows.size(), 3U);
  CaseRow const& fast = rows[0];
  EXPECT_EQ(fast.id, "s/fast@p");
  EXPECT_EQ(fast.outcome, "measured");
  EXPECT_DOUBLE_EQ(*fast.time_ns, 1000);
  EXPECT_DOUBLE_EQ(*value_of(fast, "tflops"), 2);
  EXPECT_DOUBLE_EQ(*value_of(fast, "gb_s"), 500);
  EXPECT_DOUBLE_EQ(*value_of(fast, "peak_share"), 0.2);
  EXPECT_DOUBLE_EQ(*value_of(fast, "reference_share"), 0.5);
  EXPECT_DOUBLE_EQ(*value_of(fast, "naive_speedup"), 8);
  EXPECT_DOUBLE_EQ(*fast.cycles, 1000);
  EXPECT_FALSE(value_of(rows[1], "reference_share")) << "a case that is its own control has no share of the reference";
}

TEST(CaseRows, WithoutANaiveKernelThereIsNoSpeedUp) {
  std::vector<CaseRow> const rows = rows_of(run_of(
      {measured("s/a@p", "r@p", 1, 1), measured("s/not_naive@p", "r@p", 1, 1), measured("t/naive@q", "r@q", 1, 1)}));
  EXPECT_FALSE(value_of(rows[0], "naive_speedup")) << "naive was measured on another problem only";
  EXPECT_FALSE(value_of(rows[1], "naive_speedup")) << "a kernel whose name only ends like naive is not naive";
}

TEST(CaseRows, MedianOverSessions) {
  model::Run run = run_of({measured("k@p", "r@p", 100, 100)});
  for (double const time : {300.0, 110.0}) {
    run.sessions.push_back(run.sessions.front());
    run.sessions.back().cases = {measured("k@p", "r@p", time, 100)};
  }
  EXPECT_DOUBLE_EQ(*rows_of(run)[0].time_ns, 110);
}

TEST(CaseRows, OneBadSessionIsTheOneToldAbout) {
  model::Run run = run_of({measured("k@p", "r@p", 100, 100)});
  run.sessions.push_back(run.sessions.front());
  run.sessions.back().cases.front().status = model::CaseStatus::incorrect;
  run.sessions.back().cases.front().message = "wrong";
  CaseRow const row = rows_of(run)[0];
  EXPECT_EQ(row.outcome, "incorrect");
  EXPECT_EQ(row.reason, "wrong");
  EXPECT_TRUE(row.failed);
}

TEST(CaseRows, AnImpossibleTimeOfOneSessionIsTheOneToldAbout) {
  for (model::CaseStatus const status : {model::CaseStatus::implausible, model::CaseStatus::invalid}) {
    model::Run run = run_of({measured("k@p", "r@p", 100, 100)});
    run.sessions.push_back(run.sessions.front());
    run.sessions.back().cases.front().status = status;
    run.sessions.back().cases.front().message = "too fast";
    CaseRow const row = rows_of(run)[0];
    EXPECT_EQ(row.outcome, model::to_text(status));
    EXPECT_EQ(row.reason, "too fast");
    EXPECT_TRUE(row.failed);
  }
}

TEST(CaseRows, WhatMattersComesFirst) {
  model::Run const run = run_of({measured("a@p", "r@p", 1, 1), measured("b@p", "r@p", 1, 1),
                                 measured("c@p", "r@p", 1, 1), measured("d@p", "r@p", 1, 1)});
  gate::Decisions decisions;
  auto const add = [&](char const* id, model::Verdict verdict, double change) {
    gate::CaseDecision decision;
    decision.id = id;
    decision.verdict = verdict;
    decision.ratio.emplace().change = change;
    decision.decided_by = "ratio";
    decisions.cases.push_back(decision);
  };
  add("a@p", model::Verdict::pass, 0.5);
  add("b@p", model::Verdict::regressed, 0.02);
  add("c@p", model::Verdict::regressed, 0.2);
  add("d@p", model::Verdict::crashed, 0);
  add("e@p", model::Verdict::missing, 0);
  std::string order;
  for (CaseRow const& row : rows_of(run, decisions, {})) {
    order += row.id.front();
  }
  EXPECT_EQ(order, "cbdea") << "the worst regression comes first; a case that did not run must be in the table, too";
}

TEST(CaseRows, SayWhatElseChanged) {
  gate::Decisions decisions;
  decisions.cases.emplace_back().id = "k@p";
  decisions.cases.back().differences = {
      {.what = "registers", .before = "128", .after = "168", .text = "registers 128 -> 168"},
      {.what = "machine_code", .before = "a", .after = "b", .text = "machine code changed"}};
  EXPECT_EQ(rows_of(model::Run(), decisions, {})[0].also_changed,
            "also changed: registers 128 -> 168; machine code changed");
  decisions.cases.back().differences.clear();
  EXPECT_EQ(rows_of(model::Run(), decisions, {})[0].also_changed, "");
}

TEST(CaseRows, TellWhatWouldBeSeenAndWhatAPassExcludes) {
  gate::Decisions decisions;
  gate::CaseDecision& decision = decisions.cases.emplace_back();
  decision.id = "lib@p";
  decision.detectable = 0.01;
  decision.at_most = 0.004;
  auto const rows = rows_of(run_of({measured("lib@p", "lib@p", 1, 1)}), decisions, {});
  EXPECT_EQ(rows[0].detectable, 0.01);
  EXPECT_EQ(rows[0].at_most, 0.004);
}

TEST(CaseRows, ThatNeighboursDisturbedAreMarked) {
  gate::Decisions decisions;
  decisions.cases.emplace_back().id = "k@p";
  decisions.cases.back().reason_code = gate::kDisturbedCode;
  EXPECT_TRUE(rows_of(run_of({measured("k@p", "r@p", 1, 1)}), decisions, {}).front().disturbed);
}

TEST(CaseRows, DemotedVerdictsDoNotFail) {
  gate::Decisions decisions;
  decisions.cases.emplace_back().id = "k@p";
  decisions.cases.back().verdict = model::Verdict::inconclusive;
  EXPECT_TRUE(rows_of(model::Run(), decisions, {})[0].failed);
  EXPECT_FALSE(rows_of(model::Run(), decisions, {model::Verdict::inconclusive})[0].failed);
}

}  // namespace
}  // namespace perfcheck::report
