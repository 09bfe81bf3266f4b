// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The suite, not the run file, says which cases must be there. Runs and shards that hold fewer, end to end.
#include "scope_program.h"

#include <gmock/gmock.h>

#include <fstream>

namespace perfcheck::cli::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class Scope : public ScopeTest {};

TEST_F(Scope, OfAnHonestRunIsThatOfTheCheckThatMadeIt) {
  record();
  make("now.json");
  expect_pass(compare("now.json"), 6);
  expect_pass(compare("now.json", {"--suite", "default"}), 6);
}

// ---- taken out of a run

TEST_F(Scope, AProblemThatIsGoneFromARunIsMissing) {
  record();
  make("now.json");
  take("now.json", is_odd);
  expect_missing(compare("now.json"), is_odd, "measure all of it again with perfcheck check --suite default");
}

TEST_F(Scope, ATypeThatIsGoneFromARunIsMissing) {
  suites({{"default", kTwoTypes}});
  record();
  make("now.json");
  expect_pass(compare("now.json"), 6);
  take("now.json", is_tf32);
  expect_missing(compare("now.json"), is_tf32, "the run holds no case of it");
}

TEST_F(Scope, AKernelThatIsGoneWithAllOfItsCasesIsMissing) {
  record();
  make("now.json");
  take("now.json", is_b);
  edit("now.json", [](json& run) {
    json kernels = json::array();
    for (json const& kernel : run.at("kernels")) {
      if (kernel.at("id") != "fake/b") {
        kernels.push_back(kernel);
      }
    }
    run["kernels"] = kernels;
  });
  expect_missing(compare("now.json"), is_b, "perfcheck baseline accept --drop");
}

TEST_F(Scope, ACaseThatIsGoneFromTheScreenDoesNotPass) {
  record();
  std::string const slow = "fake/b@f32,nn,m65n66k67";
  make("now.json", "check", {}, "--slow 'fake/b@*m65*=1.05'");
  ASSERT_EQ(compare("now.json").code, 1);
  take("now.json", [&](std::string const& id) { return id == slow; }, 0);
  Finished const finished = compare("now.json");
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(outcomes(finished.json()).at(slow), "invalid") << "a case that was confirmed but never screened is invalid";
}

TEST_F(Scope, ACaseThatIsGoneFromOneOfTwoConfirmingSessionsIsUndecided) {
  record();
  make("now.json", "check", {}, "--slow 'fake/b@*=1.05'");
  ASSERT_EQ(compare("now.json").code, 1);
  auto const cut = [](std::string const& id) { return is_b(id) && is_odd(id); };
  take("now.json", cut, 2);
  Finished const finished = compare("now.json");
  EXPECT_EQ(finished.code, 1) << "the other case of fake/b regressed";
  EXPECT_EQ(outcomes(finished.json()).at("fake/b@f32,nn,m65n66k67"), "inconclusive") << finished.out;
}

TEST_F(Scope, CasesThatWereClearAtTheFirstLookAreNotCutAndOthersAre) {
  record();
  make("now.json", "run", {"--sessions", "5"});
  edit("now.json", [](json& run) {
    for (std::size_t i = 1; i < 5; ++i) {
      run.at("sessions").at(i)["purpose"] = "confirm";
    }
    run.at("sessions").at(0)["purpose"] = "screen";
  });
  for (std::size_t const session : {3, 4}) {
    take("now.json", [](std::string const& id) { return !is_b(id); }, session);
  }
  expect_pass(compare("now.json"), 6);
  auto const cut = [](std::string const& id) { return is_b(id) && is_odd(id); };
  take("now.json", cut, 4);
  expect_missing(compare("now.json"), cut, "3 of 4 sessions (confirm) brought a result of it");
}

TEST_F(Scope, CasesThatWereClearAtAGlanceAreNotCutAndConvictedOnesAre) {
  record();
  make("now.json", "run", {"--sessions", "5"});
  auto const as_confirmed = [](json& run) {
    for (std::size_t i = 0; i < 5; ++i) run.at("sessions").at(i)["purpose"] = i == 0 ? "screen" : "confirm";
  };
  edit("now.json", as_confirmed);
  auto const leave_one = [&](char const* name) {
    for (std::size_t const session : {2, 3, 4}) take(name, is_b, session);
  };
  leave_one("now.json");
  expect_pass(compare("now.json"), 6);
  make("slower.json", "run", {"--sessions", "5"}, "--slow 'fake/b@*=1.05'");
  edit("slower.json", as_confirmed);
  leave_one("slower.json");
  Finished const finished = compare("slower.json");
  EXPECT_EQ(finished.code, 3) << finished.out;
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, is_b(id) ? "inconclusive" : "pass") << id;
  }
}

TEST_F(Scope, ACaseThatIsGoneFromOneOfSeveralSessionsIsMissing) {
  record();
  make("now.json", "run", {"--sessions", "5"});
  expect_pass(compare("now.json"), 6);
  take("now.json", is_b, 3);
  expect_missing(compare("now.json"), is_b,
                 "4 of 5 sessions (baseline) brought a result of it, and a session measures all");
}

TEST_F(Scope, CasesThatWereMeasuredAgainOnAnUnfitMachineAreNotCut) {
  record();
  make("now.json", "run", {"--sessions", "5"});
  // As if the machine had been busy in the third session, so that cases were measured again in an extra session.
  edit("now.json", [](json& run) {
    json& third = run.at("sessions").at(2);
    json again = third;
    again["id"] = "s6";
    again["cases"] = json::array();
    for (json& one : third.at("cases")) {
      if (is_b(one.at("id"))) {
        again.at("cases").push_back(one);
        one["unfit"] = {"busy: pid 8123"};
        one["state"]["other_processes"] = 1;
      }
    }
    run.at("sessions").push_back(again);
  });
  expect_pass(compare("now.json"), 6);
}

TEST_F(Scope, AProblemWithoutABaselineIsNotForgottenEither) {
  suites({{"default", kOneProblem}});
  record();
  suites({{"default", "problems = [\"f32,nn,m64n64k64\", \"f32,nn,m80n80k80\"]"}});
  make("now.json", "run", {"--sessions", "5"});
  ASSERT_EQ(compare("now.json").code, 3) << "the new problem has no baseline yet";
  take("now.json", [](std::string const& id) { return id.ends_with("m80n80k80"); });
  Finished const finished = compare("now.json");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(notes(finished), HasSubstr("missing: the run holds no case of this problem of suite default: "
                                         "f32,nn,m80n80k80; measure all of it again"));
}

TEST_F(Scope, ARunThatBringsItsOwnBaseBuildIsHeldAgainstTheStoredBaselineAllTheSame) {
  record();
  std::string const other_card = "--device-uuid SCRIPTED-1";
  make("now.json", "check", {"--base", worker(other_card)}, other_card);
  expect_pass(compare("now.json"), 6);
  take("now.json", is_b);
  edit("now.json", [](json& run) { take_from(run.at("base_sessions"), is_b); });
  expect_missing(compare("now.json"), is_b, "the stored baseline holds it, but it did not run");
}

TEST_F(Scope, AFileThatHoldsAnotherOnesSessionAgainIsInvalid) {
  record();
  make("two/1.json", "run");
  make("two/2.json", "run");
  EXPECT_EQ(compare("two").code, 0) << compare("two").out;
  json const first = json::parse(std::ifstream(file("two/1.json")));
  edit("two/2.json", [&](json& run) { run["sessions"] = first.at("sessions"); });
  Finished const finished = compare("two");
  EXPECT_EQ(finished.code, 2);
  for (auto const& [id, outcome] : outcomes(finished.json())) EXPECT_EQ(outcome, "invalid") << id;
}

TEST_F(Scope, SessionsOfDifferentSuitesAreNotOneRun) {
  record();
  make("two/1.json", "run");
  make("two/2.json", "run");
  EXPECT_EQ(compare("two").code, 0) << compare("two").out;
  edit("two/1.json", [](json& run) { run["suite"] = "ruled"; });
  Finished const finished = compare("two");
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("suite is \"ruled\" in one and \"default\" in another"));
}

// ---- shards

TEST_F(Scope, ShardsThatTogetherLackAProblemAreMissingIt) {
  record();
  make_shards();
  expect_pass(merge(), 6);
  take("shards/1.run.json", is_odd);
  take("shards/2.run.json", is_odd);
  expect_missing(merge(), is_odd, "measure all of it again with perfcheck check --suite default");
}

TEST_F(Scope, AShardWithACutSessionIsMissingTheCase) {
  record();
  make("shards/1.run.json", "run", {"--shard", "1/1", "--sessions", "5"});
  expect_pass(merge(), 6);
  take("shards/1.run.json", is_b, 2);
  expect_missing(merge(), is_b, "4 of 5 sessions");
}

TEST_F(Scope, ARunThatSaysItIsAShardIsNotExcusedFromTheRest) {
  record();
  make("whole.json");
  edit("whole.json", [](json& run) { run["shard"] = {{"index", 1}, {"count", 9999}}; });
  take("whole.json", is_odd);
  Finished const finished = compare("whole.json");
  expect_missing(finished, is_odd, "the run holds no case of it");
  EXPECT_THAT(notes(finished), HasSubstr("perfcheck merge decides"));
}

TEST_F(Scope, AShardIsDecidedAboutAloneWhereTheCommandSaysSo) {
  record();
  make_shards();
  EXPECT_EQ(compare("shards/1.run.json").code, 2);
  EXPECT_EQ(compare("shards/1.run.json", {"--shard", "1/2"}).code, 0);
  EXPECT_EQ(compare("shards/1.run.json", {"--shard", "2/2"}).code, 2);
}

// ---- filters

TEST_F(Scope, FiltersThatWereEditedIntoARunExcuseNothing) {
  record();
  make("now.json");
  edit("now.json", [](json& run) { run["filters"] = {"fake/a", "fake/r*"}; });
  take("now.json", is_b);
  Finished const finished = compare("now.json");
  expect_missing(finished, is_b, "perfcheck baseline accept --drop");
  EXPECT_THAT(notes(finished), HasSubstr("say so here, too: --filter fake/a --filter 'fake/r*'"));
}

TEST_F(Scope, FiltersThatWereEditedIntoShardsExcuseNothing) {
  record();
  make_shards();
  for (char const* name : {"shards/1.run.json", "shards/2.run.json"}) {
    edit(name, [](json& run) { run["filters"] = {"*m64*"}; });
    take(name, is_odd);
  }
  Finished const finished = merge();
  expect_missing(finished, is_odd, "suite default names its problem");
  EXPECT_THAT(notes(finished), HasSubstr("--filter '*m64*'"));
}

TEST_F(Scope, FiltersGivenOnPurposeOnBothSidesPass) {
  record();
  make("some.json", "check", {"--filter", "fake/a"});
  expect_missing(compare("some.json"), [](std::string const& id) { return !id.starts_with("fake/a@"); }, "");
  Finished const both = compare("some.json", {"--filter", "fake/a"});
  expect_pass(both, 2);
  EXPECT_THAT(notes(both), Not(HasSubstr("--filter")));

  make_shards({"--filter", "*m64*"});
  EXPECT_EQ(merge().code, 2);
  expect_pass(merge({"--filter", "*m64*"}), 3);
}

TEST_F(Scope, AFilterOfMergeHidesNothingThatWasMeasured) {
  record();
  make("shards/1.run.json", "check", {"--shard", "1/1"}, "--slow 'fake/b@*=1.05'");
  Finished const finished = merge({"--filter", "fake/a"});
  EXPECT_EQ(finished.code, 1) << finished.out;
}

TEST_F(Scope, DevicesOfOneMachineAreHeldToTheFilterThatTheyWereGiven) {
  record();
  Finished const finished = measure("check", {"--devices", "0,1", "--filter", "fake/a"}, "--devices 2");
  expect_pass(finished, 2);
}

TEST_F(Scope, AnEarlierRunIsHeldAgainstAllOfTheNewOne) {
  make("base.json", "run", {"--sessions", "5"});
  make("now.json", "run", {"--sessions", "5", "--filter", "fake/a"});
  Finished const finished = perfcheck({"compare", "base.json", "now.json", "--json"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(notes(finished), HasSubstr("say so here, too: --filter fake/a"));
  expect_pass(perfcheck({"compare", "base.json", "now.json", "--filter", "fake/a", "--json"}), 2);
}

TEST_F(Scope, AHistoryKeepsThatCasesAreMissing) {
  record();
  make("now.json");
  take("now.json", is_odd);
  make("some.json", "check", {"--filter", "fake/a"});
  ASSERT_EQ(perfcheck({"history", "add", "--history", "h.sqlite", "now.json"}).code, 0);
  ASSERT_EQ(perfcheck({"history", "add", "--history", "h.sqlite", "--filter", "fake/a", "some.json"}).code, 0);
  Finished const shown = perfcheck({"history", "show", "--history", "h.sqlite", "--json"});
  std::map<std::string, int> codes;
  json const runs = shown.json();
  for (json const& run : runs.at("runs")) {
    codes[run.at("id")] = run.at("exit_code");
  }
  auto const id_of = [this](char const* name) { return json::parse(read(file(name))).at("id").get<std::string>(); };
  EXPECT_EQ(codes.at(id_of("now.json")), 2);
  EXPECT_EQ(codes.at(id_of("some.json")), 0);
}

}  // namespace
}  // namespace perfcheck::cli::testing
