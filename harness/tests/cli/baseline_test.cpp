// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck baseline accept, show and upgrade.
#include "program.h"

#include <gmock/gmock.h>

#include <fstream>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;

class BaselineCommand : public ProgramTest {
 protected:
  std::string run_file(std::string const& name, std::vector<std::string> args = {},
                       std::string const& worker_args = "") const {
    std::string const path = file(name).string();
    args.insert(args.end(), {"--sessions", "3", "--out", path});
    EXPECT_EQ(measure("run", args, worker_args).code, 0);
    return path;
  }
  Finished accept(std::vector<std::string> args) const {
    args.insert(args.begin(), {"baseline", "accept", "--who", "tester", "--why", "because", "--allow-dirty"});
    return perfcheck(args);
  }
  nlohmann::json stored() const { return nlohmann::json::parse(read(baseline_file())); }
};

TEST_F(BaselineCommand, AcceptCreatesAndAppends) {
  Finished const first = accept({run_file("a.json")});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("6 cases from 3 sessions accepted by tester"));
  EXPECT_EQ(accept({run_file("b.json"), run_file("c.json")}).code, 0);
  auto const shown = perfcheck({"baseline", "show", "--json"}).json().at("baselines").at(0);
  EXPECT_EQ(shown.at("sessions"), 9);
  EXPECT_EQ(shown.at("last_accepted").at("why"), "because");
  EXPECT_EQ(shown.at("last_accepted").at("who"), "tester");
  EXPECT_EQ(measure("check").code, 0);
}

TEST_F(BaselineCommand, ReplaceForgetsTheOldSessions) {
  ASSERT_EQ(accept({run_file("a.json")}).code, 0);
  ASSERT_EQ(accept({run_file("b.json", {}, "--slow 'fake/a@*=1.2'"), "--replace"}).code, 0);
  EXPECT_EQ(perfcheck({"baseline", "show", "--json"}).json().at("baselines").at(0).at("sessions"), 3);
  EXPECT_EQ(measure("check", {}, "--slow 'fake/a@*=1.2'").code, 0);
}

TEST_F(BaselineCommand, DropRemovesCasesThatAreGone) {
  ASSERT_EQ(accept({run_file("a.json")}).code, 0);
  std::string const kernels = "--kernels fake/reference,fake/a";
  ASSERT_EQ(measure("check", {}, kernels).code, 2);
  EXPECT_EQ(accept({run_file("b.json", {}, kernels), "--drop", "fake/b"}).code, 0);
  EXPECT_EQ(measure("check", {}, kernels).code, 0);
}

TEST_F(BaselineCommand, DropOfNothingIsAnError) {
  std::string const run = run_file("a.json");
  EXPECT_EQ(accept({run, "--drop", "fake/b"}).code, 64);
  ASSERT_EQ(accept({run}).code, 0);
  std::string const before = read(baseline_file());
  EXPECT_EQ(accept({run_file("b.json"), "--drop", "fake/typo"}).code, 64);
  EXPECT_EQ(read(baseline_file()), before);
}

TEST_F(BaselineCommand, AcceptRefusesInjectedAndRepeatedRuns) {
  std::string const injected = run_file("injected.json", {"--inject-slowdown", "fake/a=5"});
  Finished const refused = accept({injected});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("slowed down on purpose"));
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
  std::string const run = run_file("a.json");
  ASSERT_EQ(accept({run}).code, 0);
  EXPECT_EQ(accept({run}).code, 64);
}

TEST_F(BaselineCommand, AcceptNeedsAReason) {
  Finished const finished = perfcheck({"baseline", "accept", "run.json"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("--why"));
}

/// Makes one case of one session of a run file take longer.
void slow(nlohmann::json& run, std::size_t session, std::string const& id, double factor) {
  for (auto& one : run.at("sessions").at(session).at("cases")) {
    if (one.at("id") == id) {
      for (auto& time : one.at("rounds").at("time_ns")) {
        time = time.get<double>() * factor;
      }
    }
  }
}

TEST_F(BaselineCommand, AcceptRefusesASessionThatIsOffUnlessSomebodyKnowsBetter) {
  std::string const path = run_file("a.json");
  auto run = nlohmann::json::parse(read(path));
  slow(run, 1, "fake/b@f32,nn,m64n64k64", 2);
  slow(run, 2, "fake/a@f32,nn,m64n64k64", 3);
  write("a.json", run.dump());
  std::string const id = run.at("id");
  Finished const refused = accept({path});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("run " + id + " cannot become part of the baseline: session s"));
  EXPECT_THAT(refused.err, HasSubstr("fake/b@f32,nn,m64n64k64: cycles +"));
  EXPECT_THAT(refused.err, HasSubstr("fake/a@f32,nn,m64n64k64: cycles +"));
  EXPECT_THAT(refused.err, HasSubstr("measure it again, or leave the run out"));
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));

  EXPECT_EQ(accept({path, "--despite", "outlier:*:fake/b@*", "it is known"}).code, 64)
      << "the outlier of fake/a was not excused";
  EXPECT_EQ(accept({path, "--despite", "outlier:*", " "}).code, 64) << "a blank reason must be refused";
  Finished const accepted = accept({path, "--despite", "outlier:*:fake/b@*", "it is known", "--despite",
                                    "outlier:*:fake/a@*", "this one, too", "--json"});
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  ASSERT_EQ(accepted.json().at("despite").size(), 2U);
  EXPECT_EQ(stored().at("accepted").at(0).at("despite").size(), 2U);
  Finished const shown = perfcheck({"baseline", "show"});
  EXPECT_THAT(shown.out, HasSubstr("(accepted all the same: it is known)"));
  EXPECT_THAT(shown.out, HasSubstr("(accepted all the same: this one, too)"));
}

TEST_F(BaselineCommand, AcceptRefusesAReasonForWhatIsNotThere) {
  std::string const path = run_file("a.json");
  Finished const refused = accept({path, "--despite", "outlier:*", "for nothing"});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("--despite outlier:*: nothing of that name was found"));
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
}

TEST_F(BaselineCommand, AcceptRefusesARunUnderAnotherName) {
  std::string const path = run_file("a.json");
  ASSERT_EQ(accept({path}).code, 0);
  std::string const before = read(baseline_file());
  auto run = nlohmann::json::parse(read(path));
  run["id"] = "20261121T081502Z-again";
  write("b.json", run.dump());
  Finished const refused = accept({file("b.json")});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("holds the numbers of session s1 of run "));
  EXPECT_EQ(read(baseline_file()), before);
}

TEST_F(BaselineCommand, AcceptRefusesAnotherLevelWithoutReplace) {
  ASSERT_EQ(accept({run_file("a.json")}).code, 0);
  std::string const slower = run_file("b.json", {}, "--slow 'fake/a@*=1.2'");
  Finished const refused = accept({slower});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("--replace"));
  EXPECT_EQ(accept({slower, "--replace"}).code, 0);
}

TEST_F(BaselineCommand, AcceptRefusesMixedMachineCode) {
  auto const of_code = [](std::string const& code) {
    return R"(--fault 'result:*=patch:[{"op":"add","path":"/result/launches","value":[{"function":"f","grid":[4,4,1],)"
           R"("block":[256,1,1],"registers":64,"shared_bytes":0,"local_bytes":0,"blocks_per_sm":2,"occupancy":0.5,)"
           R"("machine_code":")" +
           code + R"("}]}]')";
  };
  std::string const one = run_file("a.json", {}, of_code("aaaa")), other = run_file("b.json", {}, of_code("bbbb"));
  Finished const refused = accept({one, other});
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("6 of 6 cases have other machine code than the sessions they join"));
  ASSERT_EQ(accept({one}).code, 0);
  EXPECT_EQ(accept({other}).code, 64);
  EXPECT_EQ(accept({other, "--despite", "mixed_code:*", "a comment changed"}).code, 0);
  EXPECT_THAT(perfcheck({"baseline", "show"}).out, HasSubstr("6 cases with sessions of different or unknown machine"));
}

TEST_F(BaselineCommand, AcceptSaysByHowMuchLevelsMove) {
  Finished const first = accept({run_file("a.json")});
  EXPECT_THAT(first.out, ::testing::Not(HasSubstr("levels move"))) << "there were no earlier levels";
  std::string const slower = run_file("b.json", {}, "--slow 'fake/a@*=1.2'");
  Finished const second = accept({slower, "--replace"});
  EXPECT_THAT(second.out, HasSubstr("2 of 6 levels move by more than 0.5 %; slower: 2, by +"));
  EXPECT_THAT(second.out, HasSubstr("level of"));
  EXPECT_THAT(second.out, ::testing::Not(HasSubstr("fake/b@")));
  Finished const back = accept({run_file("c.json"), "--replace", "--verbose"});
  EXPECT_THAT(back.out, HasSubstr("slower: 0; faster: 2"));
  EXPECT_THAT(back.out, HasSubstr("fake/b@")) << "--verbose must list all levels";
  auto const json = accept({run_file("d.json", {}, "--slow 'fake/a@*=1.2'"), "--replace", "--json"}).json();
  EXPECT_EQ(json.at("levels").at("slower"), 2);
  EXPECT_EQ(json.at("levels").at("compared"), 6);
  EXPECT_NEAR(json.at("levels").at("cases").at(0).at("change").get<double>(), 0.2, 0.01);
  EXPECT_NEAR(json.at("levels").at("cases").at(0).at("cycles").get<double>(), 0.2, 0.01);
}

TEST_F(BaselineCommand, AnEditedFileIsRefusedUntilSomebodyUpgradesIt) {
  record();
  auto edited = stored();
  for (auto& entry : edited.at("cases")) {
    for (char const* column : {"time_ns", "cycles"}) {
      for (auto& value : entry.at(column)) {
        value = value.get<double>() * 1.5;
      }
    }
  }
  std::ofstream(baseline_file()) << edited.dump(1);
  std::string const run = run_file("a.json");
  for (Finished const& finished :
       {measure("check"), perfcheck({"compare", run}), accept({run}), perfcheck({"baseline", "show"})}) {
    EXPECT_EQ(finished.code, 74);
    EXPECT_THAT(finished.err, HasSubstr("baselines/scripted-device/gemm.json: digest: is "));
    EXPECT_THAT(finished.err, HasSubstr("restore it from version control"));
  }
  Finished const upgraded = perfcheck({"baseline", "upgrade", baseline_file()});
  EXPECT_EQ(upgraded.code, 0) << upgraded.err;
  EXPECT_THAT(upgraded.out, HasSubstr("it has a new digest; review what was edited"));
  EXPECT_EQ(stored().at("cases"), edited.at("cases")) << "an upgrade must not change numbers";
  EXPECT_EQ(perfcheck({"baseline", "show"}).code, 0);
  Finished const again = perfcheck({"baseline", "upgrade", baseline_file()});
  EXPECT_THAT(again.out, HasSubstr("nothing to do"));
}

TEST_F(BaselineCommand, AFileOfAnOlderVersionDecidesNothingUntilItIsUpgraded) {
  record();
  std::string const run = run_file("a.json");
  std::filesystem::create_directory(file("shards"));
  ASSERT_EQ(measure("check", {"--shard", "1/1", "--out", file("shards/1.run.json")}).code, 0);
  auto old = stored();
  old["schema"] = "perfcheck.baseline/2";
  old.erase("digest");
  for (auto& entry : old.at("cases")) {
    entry.erase("tail");
  }
  std::ofstream(baseline_file()) << old.dump(1);
  for (Finished const& finished : {measure("check"), perfcheck({"compare", run}), perfcheck({"merge", "shards"}),
                                   accept({run}), perfcheck({"history", "add", run, "--history", "h.sqlite"})}) {
    EXPECT_EQ(finished.code, 3) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("perfcheck baseline upgrade baselines/scripted-device/gemm.json"));
  }
  Finished const shown = perfcheck({"baseline", "show"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("no digest: it is of an older version"));
  EXPECT_FALSE(perfcheck({"baseline", "show", "--json"}).json().at("baselines").at(0).at("digest"));
  Finished const upgraded = perfcheck({"baseline", "upgrade"});
  EXPECT_EQ(upgraded.code, 0);
  EXPECT_THAT(upgraded.out, HasSubstr("perfcheck.baseline/2 is now perfcheck.baseline/3"));
  EXPECT_EQ(stored().at("cases"), old.at("cases"));
  EXPECT_EQ(measure("check").code, 0);
  EXPECT_EQ(perfcheck({"compare", run}).code, 0);
  EXPECT_EQ(perfcheck({"merge", "shards"}).code, 0);
}

TEST_F(BaselineCommand, UpgradeTakesAFolderAndSaysWhatItCannotRead) {
  record();
  auto old = stored();
  old["schema"] = "perfcheck.baseline/2";
  old.erase("digest");
  write("all/scripted-device/gemm.json", old.dump());
  write("all/another-device/gemm.json", "{");
  write("all/scripted-device/gemm.tuned.json", "{}");
  Finished const finished = perfcheck({"baseline", "upgrade", "all", "--json"});
  EXPECT_EQ(finished.code, 74);
  EXPECT_THAT(finished.err, HasSubstr("all/another-device/gemm.json:1:"));
  ASSERT_EQ(finished.json().at("upgraded").size(), 1U);
  EXPECT_EQ(finished.json().at("upgraded").at(0).at("was"), "perfcheck.baseline/2");
  EXPECT_EQ(nlohmann::json::parse(read(file("all/scripted-device/gemm.json"))), stored());
  EXPECT_EQ(read(file("all/another-device/gemm.json")), "{");
  EXPECT_EQ(perfcheck({"baseline", "upgrade", "absent"}).code, 74);
  std::filesystem::create_directories(file("empty"));
  EXPECT_EQ(perfcheck({"baseline", "upgrade", "empty"}).code, 64);
}

TEST_F(BaselineCommand, ShowAndUpgradeSayWhatIsOdd) {
  record();
  auto odd = stored();
  for (char const* column : {"time_ns", "cycles", "ratio"}) {
    auto& value = odd.at("cases").at("fake/a@f32,nn,m64n64k64").at(column).at(2);
    value = value.get<double>() * 2;
  }
  std::ofstream(baseline_file()) << odd.dump();
  Finished const upgraded = perfcheck({"baseline", "upgrade"});
  EXPECT_EQ(upgraded.code, 0) << "an upgrade must not refuse outliers";
  Finished const shown = perfcheck({"baseline", "show"});
  for (Finished const& finished : {upgraded, shown}) {
    EXPECT_THAT(finished.out, HasSubstr("\n  outlier: session s3 of run "));
    EXPECT_THAT(finished.out, HasSubstr("fake/a@f32,nn,m64n64k64: cycles +"));
  }
  auto const findings = perfcheck({"baseline", "show", "--json"}).json().at("baselines").at(0).at("findings");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.at(0).at("kind"), "outlier");
  EXPECT_EQ(findings.at(0).at("sessions"), nlohmann::json({"s03"}));
  EXPECT_EQ(findings.at(0).at("cases"), nlohmann::json({"fake/a@f32,nn,m64n64k64"}));
}

TEST_F(BaselineCommand, ShowListsWhatThereIs) {
  EXPECT_EQ(perfcheck({"baseline", "show"}).code, 3);
  record();
  Finished const shown = perfcheck({"baseline", "show"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("gemm on Scripted Device: 6 cases, 4 sessions, 1 card"));
  EXPECT_EQ(perfcheck({"baseline", "show", "scripted-device"}).code, 0);
  EXPECT_EQ(perfcheck({"baseline", "show", "elsewhere"}).code, 3);
  EXPECT_THAT(perfcheck({"baseline", "show", "--verbose"}).out, HasSubstr("fake/a@f32,nn,m64n64k64"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
