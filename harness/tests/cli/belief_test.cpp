// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Physically impossible times fail every command.
#include "program.h"

#include <gmock/gmock.h>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char const* kVictim = "fake/a@f32,nn,m64n64k64";
/// A hundredth of fake/a's time: faster than the scripted device's limits allow.
constexpr char const* kImpossible = "--slow 'fake/a@*=0.01'";
constexpr char const* kUnknownLimits =
    R"(--fault 'hello=patch:[{"op":"replace","path":"/device/peak_tflops","value":{}}]')";

class Belief : public ProgramTest {
 protected:
  void expect_victim(Finished const& finished, std::string const& outcome) const {
    EXPECT_EQ(finished.code, 2) << finished.err << finished.out;
    for (auto const& [id, found] : outcomes(finished.json())) {
      if (id.starts_with("fake/a@")) {
        EXPECT_EQ(found, outcome) << id;
      } else {
        EXPECT_THAT(found, ::testing::AnyOf("pass", "measured", "no_baseline")) << id;
      }
    }
  }
};

TEST_F(Belief, AnImpossibleTimeIsNoImprovement) {
  record();
  EXPECT_EQ(measure("check", {}, "--slow 'fake/a@*=0.7'").code, 0) << "a possible time is an improvement";
  Finished const finished = measure("check", {}, kImpossible);
  expect_victim(finished, "implausible");
  EXPECT_THAT(finished.out, Not(HasSubstr("improved")));
  EXPECT_THAT(finished.out, HasSubstr("times faster than the device can: half of 524 kFLOP need at least 2.62 us"));
  auto const cases = finished.json().at("cases");  // a copy: a loop over part of a temporary would dangle
  for (auto const& entry : cases) {
    EXPECT_EQ(entry.contains("time_ns"), entry.at("outcome") != "implausible") << entry;
  }
}

TEST_F(Belief, OneImpossibleSessionDecides) {
  record();
  std::string const once = std::string("--fault 'result:") + kVictim +
                           R"(=patch:[{"op":"replace","path":"/result/rounds/time_ns/3","value":680}]' --faults-in )" +
                           "second:" + file("processes").string();
  std::string const faster = " --slow 'fake/a@*=0.7'";
  Finished const finished = measure("check", {"--filter", kVictim}, once + faster);
  EXPECT_EQ(finished.code, 2) << finished.out;
  EXPECT_EQ(outcomes(finished.json()).at(kVictim), "implausible");
}

TEST_F(Belief, TheReferenceIsHeldToTheSame) {
  record();
  Finished const finished = measure("check", {}, "--slow 'fake/reference@*=0.01'");
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(outcomes(finished.json()).at(kVictim), "implausible");
  EXPECT_THAT(finished.out, HasSubstr("its reference fake/reference@f32,nn,m64n64k64: "));
}

TEST_F(Belief, AClockThatRunsAheadOfPerfchecksMakesACaseInvalid) {
  record();
  std::string const lie =
      R"(--fault 'result:fake/a@*=patch:[{"op":"replace","path":"/result/rounds/launches","value":90000}]')";
  Finished const finished = measure("check", {}, lie);
  expect_victim(finished, "invalid");
  EXPECT_THAT(finished.out, HasSubstr("s of launches, perfcheck waited"));
}

TEST_F(Belief, TooLittleProofMakesACaseInvalid) {
  record();
  Finished const finished = measure(
      "check", {}, R"(--fault 'result:fake/a@*=patch:[{"op":"replace","path":"/result/proof/compared","value":1}]')");
  expect_victim(finished, "invalid");
  EXPECT_THAT(finished.out, HasSubstr("compared 1 of 40 replays; at least one in four must be"));
}

TEST_F(Belief, WhatAWorkerFindsOutItselfCounts) {
  record();
  expect_victim(measure("check", {}, "--fault 'result:fake/a@*=implausible'"), "implausible");
  expect_victim(measure("check", {}, "--fault 'result:fake/a@*=invalid'"), "invalid");
}

TEST_F(Belief, RunAndAbFailToo) {
  expect_victim(measure("run", {}, kImpossible), "implausible");
  Finished const compared = measure("ab", {"--base", worker()}, kImpossible);
  EXPECT_EQ(compared.code, 2) << compared.err;
  EXPECT_EQ(outcomes(compared.json()).at(kVictim), "implausible");
}

TEST_F(Belief, NothingImpossibleIsRecorded) {
  Finished const finished = measure("check", {"--record-missing-baseline"}, kImpossible);
  EXPECT_EQ(finished.code, 2);
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
}

TEST_F(Belief, WhatCouldNotBeCheckedIsSaidOnce) {
  std::string const note = "physics: the device's peak arithmetic is unknown";
  for (std::string const command : {"run", "check"}) {
    EXPECT_THAT(measure(command).json().at("notes").dump(), Not(HasSubstr("physics"))) << command;
    Finished const finished = measure(command, {"--sessions", "2", "--out", "run.json"}, kUnknownLimits);
    EXPECT_THAT(finished.json().at("notes").dump(), HasSubstr(note)) << command;
    std::string const table = perfcheck({command, "--worker", worker(kUnknownLimits)}).out;
    EXPECT_THAT(table, HasSubstr("note: " + note)) << command;
    EXPECT_EQ(table.find(note), table.rfind(note)) << command;
  }
  EXPECT_THAT(perfcheck({"doctor", "--worker", worker(kUnknownLimits)}).out, Not(HasSubstr("physics")))
      << "unknown limits are not a problem of the machine";
}

TEST_F(Belief, AWorkerOfTheEarlierProtocolIsRefusedWithTheRemedy) {
  Finished const finished =
      measure("check", {}, R"(--fault 'hello=patch:[{"op":"replace","path":"/protocol","value":1}]')");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("protocol version 1 is not supported, this side speaks version 2; build "
                                      "perfcheck and the worker from the same release"));
  EXPECT_THAT(finished.out, IsEmpty());
}

TEST_F(Belief, ListShowsWhatKernelsDeclare) {
  EXPECT_THAT(perfcheck({"list", "--worker", worker()}).out, Not(HasSubstr("declares")));
  std::string const declared = R"(--fault 'hello=patch:[{"op":"add","path":"/kernels/1/executes","value":"f16"},)"
                               R"({"op":"add","path":"/kernels/1/work_share","value":0.875},)"
                               R"({"op":"add","path":"/kernels/2/work_share","value":0.5}]')";
  std::string const table = perfcheck({"list", "--worker", worker(declared)}).out;
  EXPECT_THAT(table, ::testing::ContainsRegex("kernel +available +declares +summary\n"));
  EXPECT_THAT(table, ::testing::ContainsRegex("fake/a +yes +executes f16, 0.875[0-9]* of the work +a scripted kernel"));
  EXPECT_THAT(table, HasSubstr("kernels: 3; cases: 6, 0 of them left out"));
  EXPECT_THAT(table, ::testing::ContainsRegex("fake/b +yes +executes 0.5[0-9]* of the work +a scripted kernel"));
  auto const kernel = measure("list", {}, declared).json().at("kernels").at(1);
  EXPECT_EQ(kernel.at("executes"), "f16");
  EXPECT_EQ(kernel.at("work_share"), 0.875);
}

}  // namespace
}  // namespace perfcheck::cli::testing
