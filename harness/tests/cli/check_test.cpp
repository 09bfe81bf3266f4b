// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck check end to end, from no baseline to a verdict.
#include "program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

namespace perfcheck::cli::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class Check : public ProgramTest {};

TEST_F(Check, WithoutABaselineIsUndecidedAndSaysWhatToDo) {
  Finished const finished = measure("check");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "no_baseline")));
  EXPECT_THAT(finished.out, HasSubstr("--record-missing-baseline"));
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
}

TEST_F(Check, RecordsAMissingBaselineThenPassesAgainstIt) {
  Finished const recorded = measure("check", {"--record-missing-baseline"});
  EXPECT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_THAT(outcomes(recorded.json()), Each(Pair(::testing::_, "recorded")));
  EXPECT_THAT(recorded.json().at("notes").dump(), HasSubstr("scripted-device/gemm.json"));
  std::string const before = read(baseline_file());

  Finished const checked = measure("check", {"--record-missing-baseline"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(outcomes(checked.json()), Each(Pair(::testing::_, "pass")));
  EXPECT_EQ(read(baseline_file()), before) << "a check of known cases must not change the baseline";
}

TEST_F(Check, RecordsAsManySessionsAsAsked) {
  ASSERT_EQ(measure("check", {"--record-missing-baseline", "--sessions", "7"}).code, 0);
  auto const shown = perfcheck({"baseline", "show", "--json"}).json().at("baselines").at(0);
  EXPECT_EQ(shown.at("sessions"), 7);
}

TEST_F(Check, FindsAnInjectedSlowdownThereAndNowhereElse) {
  record();
  Finished const finished = measure("check", {"--inject-slowdown", "fake/a=3"});
  EXPECT_EQ(finished.code, 1) << finished.err;
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
}

TEST_F(Check, FindsAnInjectedSlowdownOfTheReferenceItself) {
  record();
  auto const found = outcomes(measure("check", {"--inject-slowdown", "fake/reference=10"}).json());
  EXPECT_THAT(found, Contains(Pair("fake/reference@f32,nn,m64n64k64", "regressed")));
  EXPECT_THAT(found, Contains(Pair("fake/a@f32,nn,m64n64k64", "pass")));
}

TEST_F(Check, FindsARealRegressionAndImprovement) {
  record();
  Finished const finished = measure("check", {}, "--slow 'fake/a@*=1.05' --slow 'fake/b@*=0.9'");
  EXPECT_EQ(finished.code, 1);
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a") ? "regressed" : id.starts_with("fake/b") ? "improved" : "pass") << id;
  }
  EXPECT_EQ(measure("check", {}, "--slow 'fake/b@*=0.9'").code, 0);
}

TEST_F(Check, AClockThatDriftsIsNoRegression) {
  record();
  EXPECT_EQ(measure("check", {}, "--drift 0.1").code, 0);
}

TEST_F(Check, AReferenceThatBecameFasterAccusesNobody) {
  record();
  Finished const finished = measure("check", {}, "--slow 'fake/reference@*=0.9'");
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/reference@") ? "improved" : "pass") << id;
  }
  EXPECT_EQ(finished.code, 0);
}

TEST_F(Check, WithoutConfirmationNothingIsConvicted) {
  record();
  Finished const finished = measure("check", {"--no-confirm", "--inject-slowdown", "fake/a=30"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/a@f32,nn,m64n64k64", "inconclusive")));
}

TEST_F(Check, ConfirmsOnlyWhatWasFlagged) {
  record();
  std::string const out = file("run.json").string();
  ASSERT_EQ(measure("check", {"--inject-slowdown", "fake/a@*m64*=5", "--out", out}).code, 1);
  auto const run = nlohmann::json::parse(read(out));
  // One screen and two confirmations, which usually suffice, or else four.
  ASSERT_THAT(run.at("sessions").size(), ::testing::AnyOf(3U, 5U));
  EXPECT_EQ(run.at("sessions").at(0).at("cases").size(), 6U);
  EXPECT_EQ(run.at("sessions").at(1).at("purpose"), "confirm");
  EXPECT_EQ(run.at("sessions").at(1).at("cases").size(), 1U);
}

TEST_F(Check, ANewKernelHasNoBaselineUntilItIsRecorded) {
  record();
  std::string const kernels = "--kernels fake/reference,fake/a,fake/b,fake/new";
  Finished const finished = measure("check", {}, kernels);
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/new@f32,nn,m64n64k64", "no_baseline")));

  Finished const recorded = measure("check", {"--record-missing-baseline"}, kernels);
  EXPECT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_THAT(outcomes(recorded.json()), Contains(Pair("fake/new@f32,nn,m64n64k64", "recorded")));
  EXPECT_THAT(outcomes(recorded.json()), Contains(Pair("fake/a@f32,nn,m64n64k64", "pass")));
  EXPECT_EQ(measure("check", {}, kernels).code, 0);
}

TEST_F(Check, ADeletedKernelIsMissingUnlessItWasFilteredOut) {
  record();
  std::string const kernels = "--kernels fake/reference,fake/a";
  Finished const finished = measure("check", {}, kernels);
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/b@f32,nn,m64n64k64", "missing")));
  EXPECT_EQ(measure("check", {"--filter", "fake/a"}, kernels).code, 0);
}

TEST_F(Check, AKernelThatStopsBeingAvailableIsMissing) {
  record();
  Finished const finished = measure("check", {}, "--unavailable fake/b=no_such_instruction");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/b@f32,nn,m64n64k64", "missing")));
}

TEST_F(Check, AnInjectedRunIsNeverRecorded) {
  Finished const finished = measure("check", {"--record-missing-baseline", "--inject-slowdown", "fake/a=5"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
  EXPECT_THAT(finished.err, HasSubstr("nothing is recorded"));
}

TEST_F(Check, ABrokenKernelIsNeverRecorded) {
  Finished const finished = measure("check", {"--record-missing-baseline"}, "--fault 'result:fake/a@*=incorrect'");
  EXPECT_EQ(finished.code, 2);
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
}

TEST_F(Check, VerifyOnlyComparesNothing) {
  Finished const finished = measure("check", {"--verify-only"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.json().at("cases").at(0).at("outcome"), "verified");
  EXPECT_EQ(measure("check", {"--verify-only"}, "--fault 'result:fake/a@*=incorrect'").code, 2);
}

TEST_F(Check, OnAnotherCardOfTheSameModelEqualCodePasses) {
  record();
  Finished const finished = measure("check", {}, "--device-uuid SCRIPTED-1");
  EXPECT_EQ(finished.code, 0) << finished.out;
  EXPECT_THAT(finished.json().at("notes").dump(), HasSubstr("does not know this card"));
  EXPECT_EQ(measure("check", {"--inject-slowdown", "fake/a=10"}, "--device-uuid SCRIPTED-1").code, 1);
}

TEST_F(Check, OnASharedCpuTheRatioAloneDecides) {
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[policy.cpu]\nshared_device = true\n");
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, "--no-clock --drift 0.02").code, 0);
  EXPECT_EQ(measure("check", {"--filter", "fake/[ab]"}, "--no-clock --drift 0.02").code, 0);
  Finished const slow =
      measure("check", {"--filter", "fake/[ab]", "--inject-slowdown", "fake/b=25"}, "--no-clock --drift 0.02");
  EXPECT_EQ(slow.code, 1);
  EXPECT_THAT(outcomes(slow.json()), Contains(Pair("fake/a@f32,nn,m64n64k64", "pass")));
}

TEST_F(Check, DemotedVerdictsDoNotFail) {
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[policy.cpu]\ndemote = [\"no_baseline\"]\n");
  Finished const finished = measure("check");
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "no_baseline")));
}

TEST_F(Check, WhatThePersonDemotesDoesNotFailEither) {
  Finished const finished = measure("check", {"--demote", "no_baseline"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "no_baseline")));
  EXPECT_EQ(measure("check", {"--demote", "incomparable"}).code, 3);
  Finished const refused = measure("check", {"--demote", "regressed"});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("--demote"));
}

/// A shared device, on which neighbours slow every reference.
class SharedCheck : public Check {
 protected:
  void SetUp() override {
    write("perfcheck.toml", read(file("perfcheck.toml")) + "[policy.cpu]\nshared_device = true\n");
    record();
  }
  static constexpr char const* kNeighbours = "--slow 'fake/reference@*=1.2'";
};

TEST_F(SharedCheck, UndecidedFailsAndSaysWhatToDoNext) {
  Finished const finished = measure("check", {}, kNeighbours);
  EXPECT_EQ(finished.code, 3) << finished.out;
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/a@f32,nn,m64n64k64", "inconclusive")));
  std::string const notes = finished.json().at("notes").dump();
  EXPECT_THAT(notes, HasSubstr("undecided is not green"));
  EXPECT_THAT(notes, HasSubstr("perfcheck ab --base-ref"));
}

TEST_F(SharedCheck, UndecidedPassesForWhomChoseThat) {
  Finished const finished = measure("check", {"--demote", "inconclusive"}, kNeighbours);
  EXPECT_EQ(finished.code, 0) << finished.out;
  EXPECT_THAT(finished.json().at("notes").dump(), Not(HasSubstr("undecided is not green")));
}

TEST_F(SharedCheck, WithABaseBuildBesideItWhatNeighboursDoToBothAccusesNobody) {
  Finished const finished = measure("check", {"--base", worker(kNeighbours)}, kNeighbours);
  EXPECT_EQ(finished.code, 0) << finished.out;
  EXPECT_THAT(finished.err, HasSubstr("others share this device: the base build is measured in its place"));
  Finished const slower =
      measure("check", {"--base", worker(kNeighbours)}, std::string(kNeighbours) + " --slow 'fake/a@*=1.05'");
  EXPECT_EQ(slower.code, 1) << slower.out;
  for (auto const& [id, outcome] : outcomes(slower.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
}

TEST_F(SharedCheck, RecordsNewCasesWithABaseBuildBesideItAsEver) {
  std::string const kernels = "--kernels fake/reference,fake/a,fake/b,fake/new";
  Finished const finished = measure("check", {"--record-missing-baseline", "--base", worker()}, kernels);
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/new@f32,nn,m64n64k64", "recorded")));
}

TEST_F(Check, TellsAPersonWhatMattersFirstAndHowToRepeatIt) {
  record();
  Finished const finished = perfcheck({"check", "--worker", worker(), "--inject-slowdown", "fake/b=7"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_LT(finished.out.find("fake/b@"), finished.out.find("fake/a@"));
  EXPECT_THAT(finished.out, HasSubstr("regressed"));
  EXPECT_THAT(finished.out, HasSubstr("--inject-slowdown fake/b=7 --filter fake/b  # 2 failed cases\n"));
  EXPECT_THAT(finished.out, HasSubstr("a slowdown is seen from "));
  EXPECT_THAT(finished.out, HasSubstr("exit code 1"));
  EXPECT_THAT(finished.out, Not(HasSubstr("\x1b["))) << "there must be no colours when the output is not a terminal";
  EXPECT_THAT(finished.err, HasSubstr("confirming 2 cases"));
}

/// Worker arguments that make each of fake/a's cases report one launched kernel with these attributes, and this power.
std::string launching(int registers, double occupancy, std::string const& machine_code, double power_w) {
  return fmt::format(
      R"(--fault 'result:fake/a@*=patch:[{{"op":"add","path":"/result/launches","value":[{{"function":"a","grid":[8,8,1],)"
      R"("block":[128,1,1],"registers":{},"shared_bytes":0,"local_bytes":0,"blocks_per_sm":4,"occupancy":{},)"
      R"("machine_code":"{}"}}]}},{{"op":"add","path":"/result/state/power_w","value":{}}}]')",
      registers, occupancy, machine_code, power_w);
}

TEST_F(Check, SaysWhatElseChangedBesideTheVerdict) {
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, launching(128, 0.25, "aaaa", 400)).code, 0);
  auto const stored = nlohmann::json::parse(read(baseline_file())).at("cases").at("fake/a@f32,nn,m64n64k64");
  EXPECT_EQ(stored.at("launched").at(0).at("registers"), 128);
  EXPECT_EQ(stored.at("power_w"), nlohmann::json({400, 400, 400, 400}));
  EXPECT_EQ(stored.at("clock_mhz").size(), 4U);

  std::string const slow = launching(168, 0.125, "bbbb", 300) + " --slow 'fake/a@*=1.05'";
  Finished const finished = measure("check", {}, slow);
  EXPECT_EQ(finished.code, 1) << finished.err;
  nlohmann::json const result = finished.json();
  for (auto const& entry : result.at("cases")) {
    EXPECT_EQ(entry.contains("differences"), entry.at("outcome") == "regressed") << entry;
    if (entry.at("id") == "fake/a@f32,nn,m64n64k64") {
      EXPECT_EQ(entry.at("differences").at(1),
                nlohmann::json(
                    {{"what", "registers"}, {"before", "128"}, {"after", "168"}, {"text", "registers 128 -> 168"}}));
    }
  }
  EXPECT_THAT(perfcheck({"check", "--worker", worker(slow)}).out, HasSubstr("    regressed: "));
  EXPECT_THAT(
      perfcheck({"check", "--worker", worker(slow)}).out,
      HasSubstr("\n    also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %, power 400 W -> 300 W; machine "
                "code changed\n"));
}

TEST_F(Check, EqualMachineCodeThatIsLaunchedAsBeforeIsNoExcuse) {
  std::string const same = launching(128, 0.25, "aaaa", 400);
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, same).code, 0);
  Finished const finished = measure("check", {}, same + " --slow 'fake/a@*=1.05'");
  EXPECT_EQ(finished.code, 1) << finished.out;
  EXPECT_THAT(finished.out,
              HasSubstr("machine code and launches are those of the baseline, so look at what no hash sees"));
}

TEST_F(Check, SaysThatTheMachineCodeOfARegressionIsTheSame) {
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, launching(128, 0.25, "aaaa", 400)).code, 0);
  std::string const slow = launching(130, 0.25, "aaaa", 400) + " --slow 'fake/a@*=1.05'";
  EXPECT_THAT(perfcheck({"check", "--worker", worker(slow)}).out,
              HasSubstr("\n    also changed: registers 128 -> 130; same machine code"));
}

TEST_F(Check, ComparesWithABaselineOfAnEarlierVersionOnceItIsUpgraded) {
  record();
  auto old = nlohmann::json::parse(read(baseline_file()));
  old["schema"] = "perfcheck.baseline/1";
  old.erase("digest");
  for (auto& entry : old["cases"]) {
    for (char const* key : {"launched", "input_policy", "clock_mhz", "power_w", "tail"}) {
      entry.erase(key);
    }
  }
  std::ofstream(baseline_file()) << old.dump();
  Finished const refused = measure("check");
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("perfcheck baseline upgrade baselines/scripted-device/gemm.json"));
  ASSERT_EQ(perfcheck({"baseline", "upgrade"}).code, 0);
  EXPECT_EQ(measure("check").code, 0);
  EXPECT_EQ(measure("check", {"--inject-slowdown", "fake/a=5"}).code, 1);
}

/// Worker arguments that make one case much slower in the given processes. The first process only plans.
std::string slow_in(std::string const& processes, std::string const& counted_in) {
  std::string values;
  for (int i = 0; i < 20; ++i) values += fmt::format("{}{}", i == 0 ? "" : ",", 70000 + i);
  return fmt::format(
      R"(--delay-ms 20 --faults-in {}:{} --fault 'result:fake/b@f32,nn,m64n64k64=patch:[{{"op":"replace",)"
      R"("path":"/result/rounds/time_ns","value":[{}]}}]')",
      processes, counted_in, values);
}

TEST_F(Check, RecordsAnotherSessionInPlaceOfOneThatIsOff) {
  Finished const recorded = measure("check", {"--record-missing-baseline", "--out", file("run.json").string()},
                                    slow_in("3", file("processes").string()));
  EXPECT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_THAT(recorded.err, HasSubstr("session s2 of run "));
  EXPECT_THAT(recorded.err, HasSubstr("something disturbed it, so it is measured again"));
  EXPECT_THAT(recorded.err, Not(HasSubstr("nothing is recorded")));
  auto const baseline = nlohmann::json::parse(read(baseline_file()));
  for (auto const& [id, entry] : baseline.at("cases").items()) {
    EXPECT_EQ(entry.at("session").size(), 4U) << id;
    for (double const ns : entry.at("time_ns")) EXPECT_LT(ns, 70000) << id;
  }
  auto const run = nlohmann::json::parse(read(file("run.json")));
  EXPECT_EQ(run.at("sessions").size(), 5U) << "the run file must keep the session that was left out";
  EXPECT_THAT(run.at("sessions").at(1).dump(), HasSubstr("disturbed: session s2 of run "));
}

TEST_F(Check, RecordsNothingWhereSessionsAreOffAgainAndAgain) {
  Finished const refused =
      measure("check", {"--record-missing-baseline"}, slow_in("3,6,7", file("processes").string()));
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("nothing is recorded: session s6 of run "));
  EXPECT_THAT(refused.err, HasSubstr("fake/b@f32,nn,m64n64k64: cycles +"));
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
  EXPECT_EQ(outcomes(refused.json()).at("fake/b@f32,nn,m64n64k64"), "no_baseline");
}

TEST_F(Check, NamesTheCaseToRepeatWhereAKernelFailedInOneOnly) {
  record();
  Finished const finished = perfcheck(
      {"check", "--worker", worker(), "--inject-slowdown", "fake/b@*m65*=7", "--inject-slowdown", "fake/a=0.01"});
  EXPECT_THAT(finished.out, HasSubstr("--inject-slowdown 'fake/b@*m65*=7' --filter fake/b@f32,nn,m65n66k67\n"));
}

TEST_F(Check, JsonIsAloneOnStandardOutput) {
  record();
  auto const json = measure("check").json();
  EXPECT_EQ(json.at("schema"), "perfcheck.check/1");
  EXPECT_EQ(json.at("exit_code"), 0);
  EXPECT_EQ(json.at("counts").at("pass"), 6);
  auto const& first = json.at("cases").at(0);
  for (char const* key : {"verdict", "reason_code", "reason", "time_ns", "tflops", "margin", "detectable"}) {
    EXPECT_TRUE(first.contains(key)) << key;
  }
}

TEST_F(Check, ColourCanBeAskedFor) {
  record();
  Finished const finished = perfcheck({"check", "--worker", worker(), "--color", "always"});
  EXPECT_THAT(finished.out, HasSubstr("\x1b[32mpass"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
