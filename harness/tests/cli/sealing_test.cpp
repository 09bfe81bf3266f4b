// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which cases `check` and `run` send to sealed timing, and that no case passes or is stored against a judge's
// objection.
#include "perfcheck/measuring/sealing.h"

#include "judged_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

namespace perfcheck::cli::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

model::CaseResult measured(std::string const& machine_code) {
  model::CaseResult result;
  result.id = kCaseA;
  result.status = model::CaseStatus::measured;
  result.launches.emplace_back().function = "kernel";
  result.launches.back().machine_code = machine_code;
  return result;
}

/// A baseline that holds the case with the code of `result`.
model::Baseline knowing(model::CaseResult const& result) {
  model::Baseline baseline;
  model::BaselineCase& stored = baseline.cases[result.id];
  stored.session = {"s01"};
  stored.machine_code = model::machine_code_of(result);
  stored.launches = model::launch_hash_of(result);
  return baseline;
}

TEST(WantsSealed, FollowsThePolicy) {
  model::CaseResult const result = measured("c0de");
  model::Baseline const empty;
  model::Baseline const same = knowing(result);
  model::Baseline const other_code = knowing(measured("01d"));
  model::Baseline const unknown_code = knowing(measured(""));
  model::CaseResult wider = result;
  wider.launches.back().grid = {9, 1, 1};
  model::Baseline const other_launch = knowing(wider);
  model::Baseline no_session = same;
  no_session.cases[kCaseA].session.clear();
  struct Row {
    char const* what;
    model::Baseline const* baseline;
    bool fresh, changed;
  };
  for (Row const& row : {Row{"no baseline", nullptr, true, true}, Row{"not in it", &empty, true, true},
                         Row{"without a session", &no_session, true, true}, Row{"the same code", &same, false, false},
                         Row{"other code", &other_code, false, true}, Row{"unknown code", &unknown_code, false, true},
                         Row{"launched otherwise", &other_launch, false, true}}) {
    EXPECT_FALSE(measuring::wants_sealed(config::Sealed::never, row.baseline, result)) << row.what;
    EXPECT_EQ(measuring::wants_sealed(config::Sealed::fresh, row.baseline, result), row.fresh) << row.what;
    EXPECT_EQ(measuring::wants_sealed(config::Sealed::changed, row.baseline, result), row.changed) << row.what;
    EXPECT_TRUE(measuring::wants_sealed(config::Sealed::always, row.baseline, result)) << row.what;
  }
  model::CaseResult const unread = measured("");
  model::Baseline const unread_too = knowing(unread);
  EXPECT_TRUE(measuring::wants_sealed(config::Sealed::changed, &unread_too, unread))
      << "two unknown codes are not the same";
}

TEST(WantsSealed, OnlyAMeasuredCaseThatCounts) {
  model::CaseResult failed = measured("c0de");
  failed.status = model::CaseStatus::incorrect;
  EXPECT_FALSE(measuring::wants_sealed(config::Sealed::always, nullptr, failed));
  model::CaseResult unfit = measured("c0de");
  unfit.unfit = {"busy"};
  EXPECT_FALSE(measuring::wants_sealed(config::Sealed::always, nullptr, unfit));
}

class Sealing : public JudgedTest {
 protected:
  Sealing() { std::filesystem::remove(file("judged")); }

  Finished check(std::vector<std::string> args = {}) const {
    args.emplace_back("--json");
    return with_worker("check", args);
  }
  void record_cuda(std::vector<std::string> const& args = {}) const {
    std::vector<std::string> all{"--record-missing-baseline"};
    all.insert(all.end(), args.begin(), args.end());
    Finished const finished = check(all);
    ASSERT_EQ(finished.code, 0) << finished.err << finished.out;
    ASSERT_TRUE(std::filesystem::exists(baseline_file()));
  }
  static std::string launching(std::string const& glob, std::string const& machine_code) {
    return fmt::format(
        R"(--fault 'result:{}=patch:[{{"op":"add","path":"/result/launches","value":[{{"function":"f",)"
        R"("grid":[4,4,1],"block":[256,1,1],"registers":64,"shared_bytes":0,"local_bytes":0,"blocks_per_sm":2,)"
        R"("occupancy":0.5,"machine_code":"{}"}}]}}]' )",
        glob, machine_code);
  }
  void expect_objection(Finished const& finished, std::string const& others) const {
    EXPECT_EQ(finished.code, 2) << finished.err;
    nlohmann::json const document = finished.json();
    for (auto const& entry : document.at("cases")) {
      EXPECT_EQ(entry.at("outcome"), entry.at("id") == kCaseA ? "invalid" : others) << entry;
      EXPECT_EQ(entry.contains("time_ns"), entry.at("id") != kCaseA) << entry;
    }
    EXPECT_THAT(finished.out, HasSubstr("sealed timing: timed sealed, a launch takes "));
  }
};

TEST_F(Sealing, NothingIsUnlessAskedFor) {
  record_cuda();
  EXPECT_EQ(check().code, 0);
  EXPECT_THAT(judged(), IsEmpty());
  std::filesystem::remove(file("worker-judge"));
  EXPECT_EQ(check().code, 0) << "unless sealing is asked for, no judge may be needed";
}

TEST_F(Sealing, AnObjectionMakesACaseInvalidWhateverItsBaselineSays) {
  record_cuda();
  EXPECT_EQ(check({"--sealed", "always"}).code, 0);
  EXPECT_THAT(judged(), UnorderedElementsAre(kCaseA, kCaseB, kCaseReference));
  say(honest(kCaseA, 4));
  expect_objection(check({"--sealed", "always"}), "pass");
}

TEST_F(Sealing, AnObjectionShowsInTheRunFileAndInTheCommandThatRepeatsIt) {
  say(honest(kCaseA, 4));
  Finished const finished = with_worker("check", {"--sealed", "always", "--out", "now.run.json"});
  EXPECT_THAT(finished.out,
              HasSubstr(fmt::format("perfcheck check --worker ./worker --sealed always --filter {}", kCaseA)));
  EXPECT_THAT(finished.err, HasSubstr("screen, sealed: invalid fake/a"));
  auto const stored = nlohmann::json::parse(read(file("now.run.json"))).at("sessions").at(0).at("cases").at(0);
  EXPECT_EQ(stored.at("id"), kCaseA);
  EXPECT_EQ(stored.at("status"), "invalid");
  EXPECT_FALSE(stored.contains("rounds"));
}

TEST_F(Sealing, AnObjectionToATimeStandsOnlyWhenASecondTryConfirmsIt) {
  write("lines/disturbed", model::to_json_line(honest(kCaseA, 4)) + "\n");
  make_judge(R"sh(name=$(printf %s "${4%%@*}" | tr / _)
if [ "$name" = fake_a ] && [ ! -e "$here/disturbed_once" ]; then touch "$here/disturbed_once"; name=disturbed; fi
cat "$here/lines/$name")sh");
  Finished const finished = with_worker("run", {"--sealed", "always", "--json"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(judged(), UnorderedElementsAre(kCaseA, kCaseA, kCaseB, kCaseReference));
  say(honest(kCaseB, 4));
  EXPECT_EQ(with_worker("run", {"--sealed", "always"}).code, 2);
  EXPECT_EQ(judged().count(kCaseB), 3U) << "once before, and twice because of the objection";
}

TEST_F(Sealing, WhatNoDisturbanceExplainsGetsNoSecondTry) {
  model::SealedResult wrong = honest(kCaseA);
  wrong.status = model::SealedStatus::incorrect;
  wrong.message = "batch 2, launch 7 of 16: 3 of 4096 elements are wrong";
  wrong.time_ns.clear();
  wrong.reference_time_ns.clear();
  say(wrong);
  EXPECT_EQ(with_worker("run", {"--sealed", "always"}).code, 2);
  EXPECT_EQ(judged().count(kCaseA), 1U);
}

TEST_F(Sealing, AWorkerThatIsToBeJudgedWritesNothingBesideTheJudge) {
  if (::geteuid() != 0) GTEST_SKIP() << "no worker can be of another user here; run as root";
  make_worker(fmt::format("--pid-file '{}'", file("left_behind").string()));
  EXPECT_EQ(with_worker("run").code, 0);
  EXPECT_TRUE(std::filesystem::remove(file("left_behind")));
  EXPECT_NE(with_worker("run", {"--sealed", "always"}).code, 0)
      << "the worker cannot write its pid file, so it must not start";
  EXPECT_FALSE(std::filesystem::exists(file("left_behind")));
}

TEST_F(Sealing, AJudgeThatFailsIsAnObjectionToo) {
  make_judge("exit 1");
  Finished const finished = check({"--sealed", "always"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "invalid")));
}

TEST_F(Sealing, ACaseIsTimedOnceHoweverManySessionsThereAre) {
  Finished const finished = with_worker("run", {"--sealed", "always", "--sessions", "3", "--json"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(judged(), UnorderedElementsAre(kCaseA, kCaseB, kCaseReference));
}

TEST_F(Sealing, EverySessionIsHeldToIt) {
  // The first process plans, the second is an honest session, and the third is a dishonest one.
  make_worker(fmt::format(R"(--faults-in 'third:{}' --fault 'result:fake/a@*=patch:[{{"op":"replace",)"
                          R"("path":"/result/rounds/time_ns","value":[7000,7000,7000,7000,7000,7000,7000,7000,)"
                          R"(7000,7000,7000,7000,7000,7000,7000,7000,7000,7000,7000,7000]}}]')",
                          file("processes").string()));
  Finished const finished = with_worker("run", {"--sealed", "always", "--sessions", "2", "--out", "now.run.json"});
  EXPECT_EQ(finished.code, 2) << finished.out;
  auto const run = nlohmann::json::parse(read(file("now.run.json")));
  EXPECT_EQ(run.at("sessions").at(0).at("cases").at(0).at("status"), "measured");
  EXPECT_EQ(run.at("sessions").at(1).at("cases").at(0).at("status"), "invalid");
}

TEST_F(Sealing, NewConcernsCasesThatTheBaselineLacks) {
  record_cuda({"--filter", "fake/a", "--filter", "fake/reference"});
  (void)check({"--sealed", "new"});
  EXPECT_THAT(judged(), UnorderedElementsAre(kCaseB));
}

TEST_F(Sealing, ChangedConcernsOtherMachineCodeAndCodeThatNobodyCanRead) {
  make_worker(launching("fake/a@*", "01d") + launching("fake/b@*", "c0de"));
  record_cuda();
  make_worker(launching("fake/a@*", "4e3") + launching("fake/b@*", "c0de"));
  EXPECT_EQ(check({"--sealed", "changed"}).code, 0);
  EXPECT_THAT(judged(), UnorderedElementsAre(kCaseA, kCaseReference));
}

TEST_F(Sealing, NoBaselineTakesACaseThatTheJudgeObjectsTo) {
  say(honest(kCaseA, 4));
  expect_objection(check({"--record-missing-baseline", "--sealed", "new"}), "no_baseline");
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
}

TEST_F(Sealing, NorDoesOneThatKnowsOtherCases) {
  record_cuda({"--filter", "fake/b", "--filter", "fake/reference"});
  std::string const before = read(baseline_file());
  say(honest(kCaseA, 4));
  expect_objection(check({"--record-missing-baseline", "--sealed", "new"}), "pass");
  EXPECT_EQ(read(baseline_file()), before);
  say(honest(kCaseA));
  EXPECT_EQ(check({"--record-missing-baseline", "--sealed", "new"}).code, 0);
  EXPECT_NE(read(baseline_file()), before) << "a time that the judge supports must be stored";
}

TEST_F(Sealing, ARunHasNoBaselineAndItsObjectionsCannotBeAccepted) {
  record_cuda();
  say(honest(kCaseA, 4));
  for (std::string const when : {"new", "changed", "always"}) {
    std::filesystem::remove(file("judged"));
    expect_objection(with_worker("run", {"--sealed", when, "--out", "now.run.json", "--json"}), "measured");
    EXPECT_THAT(judged(), UnorderedElementsAre(kCaseA, kCaseA, kCaseB, kCaseReference))
        << when << ": an objection is confirmed by a second try";
  }
  Finished const accepted = perfcheck({"baseline", "accept", "now.run.json", "--why", "faster", "--allow-dirty"});
  EXPECT_NE(accepted.code, 0);
  EXPECT_THAT(accepted.err, HasSubstr("fake/a@f32,nn,m64n64k64 is invalid"));
}

TEST_F(Sealing, PerfcheckTomlAsksForItAndTheCommandLineOverridesIt) {
  record_cuda();
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[measure.cuda]\nsealed = \"always\"\n");
  say(honest(kCaseA, 4));
  EXPECT_EQ(check().code, 2);
  EXPECT_EQ(check({"--sealed", "never"}).code, 0);
}

TEST_F(Sealing, OfAWorkerWithoutAGpuIsAUsageErrorThatNamesTheRemedy) {
  Finished const asked = measure("check", {"--sealed", "always"});
  EXPECT_EQ(asked.code, 64);
  EXPECT_THAT(asked.err, HasSubstr("sealed timing needs a worker with a GPU"));
  std::string const config = read(file("perfcheck.toml"));
  write("perfcheck.toml", config + "[measure]\nsealed = \"new\"\n");
  EXPECT_THAT(measure("check").err, HasSubstr("write `sealed` below [measure.cuda]"));
  write("perfcheck.toml", config + "[measure.cuda]\nsealed = \"new\"\n");
  EXPECT_EQ(measure("run").code, 0) << "the setting for GPUs must not apply to a CPU";
}

TEST_F(Sealing, IsNoPartOfOtherCommandsNorOfVerification) {
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[measure.cuda]\nsealed = \"always\"\n");
  make_judge("exit 1");
  EXPECT_EQ(with_worker("ab", {"--base", "./worker"}).code, 0);
  EXPECT_EQ(with_worker("check", {"--verify-only"}).code, 0);
  EXPECT_THAT(judged(), IsEmpty());
}

TEST_F(Sealing, ATimeBudgetThatIsUsedUpLeavesNoCaseUnjudged) {
  make_worker("--delay-ms 2500");
  Finished const finished = check({"--sealed", "always", "--time-budget", "2", "--filter", kCaseA});
  EXPECT_EQ(finished.code, 2) << finished.err;
  EXPECT_EQ(outcomes(finished.json()).at(kCaseA), "invalid");
  EXPECT_THAT(finished.out, HasSubstr("sealed timing: the time budget was used up"));
  EXPECT_THAT(judged(), IsEmpty());
}

TEST_F(Sealing, AnotherWordIsRefused) {
  Finished const finished = check({"--sealed", "sometimes"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("never"), HasSubstr("new"), HasSubstr("changed"), HasSubstr("always")));
  EXPECT_THAT(finished.out, Not(HasSubstr("fake/")));
}

}  // namespace
}  // namespace perfcheck::cli::testing
