// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck baseline accept and show.
#include "program.h"

#include <gmock/gmock.h>

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
