// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck list, doctor and help.
#include "program.h"

#include <gmock/gmock.h>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class List : public ProgramTest {};

TEST_F(List, ShowsKernelsCasesAndNames) {
  Finished const finished = perfcheck({"list", "--worker", worker("--unavailable fake/b=too_old")});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("architecture: too_old"));
  EXPECT_THAT(finished.out, HasSubstr("fake/a@f32,nn,m65n66k67"));
  EXPECT_THAT(finished.out, ::testing::ContainsRegex("fake/a@f32,nn,m65n66k67 .* odd +runs\n"));
  EXPECT_THAT(finished.out, HasSubstr("kernels: 3; cases: 6, 2 of them left out"));
}

TEST_F(List, ShowsWhatARuleLeavesOut) {
  Finished const finished = measure("list", {"--suite", "ruled"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(finished.out, HasSubstr("suite_rule"));
  EXPECT_EQ(finished.json().at("schema"), "perfcheck.list/1");
  EXPECT_EQ(finished.json().at("suites").size(), 2U);
}

TEST_F(List, TakesTheSuiteOfTheWorkersBackend) {
  EXPECT_EQ(measure("list", {}, "--backend cuda").json().at("cases").size(), 3U);
}

TEST_F(List, FiltersByCaseOrKernel) {
  EXPECT_EQ(measure("list", {"--filter", "fake/a"}).json().at("cases").size(), 2U);
  EXPECT_EQ(measure("list", {"--filter", "fake/a@*m64*", "--filter", "fake/b"}).json().at("cases").size(), 3U);
}

TEST_F(List, NothingThatMatchesIsBrokenAndNamesTheNearest) {
  Finished const finished = measure("list", {"--filter", "fake/aa"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("did you mean 'fake/a'?"));
}

TEST_F(List, DoctorDescribesTheMachine) {
  Finished const finished = perfcheck({"doctor", "--worker", worker()});
  EXPECT_THAT(finished.out, HasSubstr("Scripted Device"));
  EXPECT_THAT(finished.out, HasSubstr("none at baselines/scripted-device/gemm.json"));
  record();
  EXPECT_THAT(perfcheck({"doctor", "--worker", worker()}).out, HasSubstr("6 cases, 4 sessions"));
}

TEST_F(List, DoctorFailsOnWarningsAndWithoutADevice) {
  std::string const warn =
      R"(--fault 'hello=patch:[{"op":"add","path":"/environment/warnings","value":["hot; cool it"]}]')";
  Finished const warned = measure("doctor", {}, warn);
  EXPECT_EQ(warned.code, 3) << warned.err;
  EXPECT_THAT(warned.json().at("warnings").dump(), HasSubstr("hot; cool it"));
  EXPECT_EQ(measure("doctor", {"--device", "9"}).code, 2);
}

TEST_F(List, HelpAndVersionGoToStandardOutput) {
  for (std::vector<std::string> const& args :
       {std::vector<std::string>{"--help"}, {"check", "--help"}, {"baseline", "accept", "--help"}, {"--version"}}) {
    Finished const finished = perfcheck(args);
    EXPECT_EQ(finished.code, 0);
    EXPECT_THAT(finished.out, HasSubstr("perfcheck"));
    EXPECT_THAT(finished.err, IsEmpty());
  }
  EXPECT_THAT(perfcheck({"check", "--help"}).out, HasSubstr("examples:"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
