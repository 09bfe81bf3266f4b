// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a suite asks for, end to end: runs of another suite, problems that no kernel or suite has any more, problem
// texts in another form.
#include "scope_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::cli::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

class SuiteScope : public ScopeTest {};

TEST_F(SuiteScope, ARunThatClaimsToBeOfASmallerSuiteIsHeldToTheOneThatWasAskedFor) {
  suites({{"default", "problems = [\"f32,nn,m64n64k64\", \"f32,nn,m65n66k67\"]"}, {"smoke", kOneProblem}});
  record();
  make("now.json");
  edit("now.json", [](json& run) { run["suite"] = "smoke"; });
  take("now.json", is_odd);
  expect_missing(compare("now.json", {"--suite", "default"}), is_odd, "suite default names its problem");
  std::filesystem::create_directories(file("shards"));
  edit("now.json", [](json& run) { run["shard"] = {{"index", 1}, {"count", 1}}; });
  std::filesystem::copy_file(file("now.json"), file("shards/1.run.json"));
  expect_missing(merge({"--suite", "default"}), is_odd, "suite default names its problem");
  EXPECT_EQ(merge({"--suite", "defualt"}).code, 64);
  std::string const claimed = "the run says that it is of suite smoke, and 3 stored cases of others were not asked";
  for (Finished const& finished : {compare("now.json"), merge()}) {
    EXPECT_EQ(finished.code, 3) << "only the run itself claims the smaller suite";
    EXPECT_THAT(notes(finished), HasSubstr(claimed));
  }
  Finished const named = compare("now.json", {"--suite", "smoke"});
  EXPECT_EQ(named.code, 0) << named.out;
  EXPECT_THAT(notes(named), Not(HasSubstr("the run says that it is of suite")));
  edit("now.json", [](json& run) { run["suite"] = "default"; });
  expect_missing(compare("now.json"), is_odd, "suite default names its problem");
}

TEST_F(SuiteScope, ARunOfASuiteThatNobodyKnowsSaysWhatWasNotAskedFor) {
  record();
  make("now.json");
  edit("now.json", [](json& run) { run["suite"] = "mine"; });
  Finished const whole = compare("now.json");
  expect_pass(whole, 6);
  EXPECT_THAT(notes(whole), Not(HasSubstr("mine"))) << "every stored case was measured, so no note is due";
  take("now.json", is_odd);
  Finished const finished = compare("now.json");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(notes(finished),
              AllOf(HasSubstr("no suite \\\"mine\\\" for cpu"), HasSubstr("3 stored cases"), HasSubstr("--suite")));
  take("now.json", is_b);
  EXPECT_EQ(compare("now.json").code, 2) << "of each problem in the run, all cases must be there";
}

TEST_F(SuiteScope, KernelsThatTakeNoPartAreNoneOfItsBusinessUnlessItAcceptedThem) {
  std::string const some = std::string(kOneProblem) + "\nkernels = [\"*\", \"!fake/b\"]";
  suites({{"default", some}, {"nightly", std::string(kOneProblem) + "\nkernels = \"fake/b\""}});
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}).code, 0);
  ASSERT_EQ(measure("check", {"--suite", "nightly", "--record-missing-baseline"}).code, 0);
  expect_pass(measure("check"), 2);
  expect_pass(measure("check", {"--suite", "nightly"}), 1);
  make("now.json");
  expect_pass(compare("now.json"), 2);
  take("now.json", is_a);
  EXPECT_EQ(compare("now.json").code, 2) << "fake/a takes part and must be there";
  // What takes no part any more was accepted from this suite, and stays asked for.
  suites(
      {{"default", std::string(kOneProblem) + "\nkernels = [\"*\", \"!fake/a\", \"!fake/b\"]"}, {"all", kOneProblem}});
  expect_missing(measure("check"), is_a, "it did not run");
}

TEST_F(SuiteScope, CasesOfAnotherSuiteAreNoneOfThisOnesBusiness) {
  suites({{"default", kOneProblem}, {"full", "problems = [\"f32,nn,m64n64k64\", \"f32,nn,m65n66k67\"]"}});
  ASSERT_EQ(measure("check", {"--suite", "full", "--record-missing-baseline"}).code, 0);
  expect_pass(measure("check"), 3);
  make("now.json");
  expect_pass(compare("now.json"), 3);
}

TEST_F(SuiteScope, AProblemThatLeftEverySuiteIsMissingUntilItsCasesAreDropped) {
  suites({{"default", kTwoTypes}});
  record();
  make("now.json");
  suites({{"default", kOneProblem}});
  expect_missing(measure("check"), is_tf32, "perfcheck baseline accept --drop '*@tf32,nn,m64n64k64'");
  make("now.json", "run", {"--sessions", "5"});
  expect_missing(compare("now.json"), is_tf32, "no suite of perfcheck.toml names its problem");
  ASSERT_EQ(
      perfcheck({"baseline", "accept", "now.json", "--why", "gone", "--drop", "*@tf32,nn,m64n64k64", "--allow-dirty"})
          .code,
      0);
  expect_pass(measure("check"), 3);
}

// ---- check: what no kernel offers

/// Worker arguments that make it plan no case of the second problem.
constexpr char const* kNoKernelForTheSecond =
    R"(--fault 'plan=patch:[{"op":"remove","path":"/cases/5"},{"op":"remove","path":"/cases/4"},)"
    R"({"op":"remove","path":"/cases/3"}]')";

TEST_F(SuiteScope, AProblemThatNoKernelOffersIsMissing) {
  record();
  expect_missing(measure("check", {}, kNoKernelForTheSecond), is_odd,
                 "no kernel offers a case of it: bring back a kernel for it");
}

TEST_F(SuiteScope, AProblemThatNoKernelOffersIsMissingInEveryShardOfACheck) {
  record();
  std::map<std::string, std::string> together;
  for (char const* shard : {"1/2", "2/2"}) {
    Finished const finished = measure("check", {"--shard", shard}, kNoKernelForTheSecond);
    together.merge(outcomes(finished.json()));
  }
  for (auto const& [id, outcome] : together) {
    EXPECT_EQ(outcome, is_odd(id) ? "missing" : "pass") << id;
  }
  EXPECT_THAT(together, SizeIs(6));
}

TEST_F(SuiteScope, AProblemThatNoKernelOffersFailsWithoutABaselineToo) {
  suites({{"default", kOneProblem}});
  record();
  suites({{"default", "problems = [\"f32,nn,m64n64k64\", \"f32,nn,m80n80k80\"]"}});
  Finished const finished = measure("check", {}, kNoKernelForTheSecond);
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(notes(finished),
              HasSubstr("missing: no kernel offers a case of this problem of suite default: f32,nn,m80n80k80"));
  EXPECT_EQ(measure("check", {"--filter", "*m64*"}, kNoKernelForTheSecond).code, 0)
      << "the filter leaves the problem out on purpose";
}

TEST_F(SuiteScope, ACaseThatNeitherBuildOfACheckHasIsMissingFromTheStoredBaseline) {
  record();
  std::string const other_card = "--device-uuid SCRIPTED-1 --kernels fake/reference,fake/a";
  Finished const finished = measure("check", {"--base", worker(other_card)}, other_card);
  expect_missing(finished, is_b, "the stored baseline holds it, but it did not run");
}

// ---- texts of problems in another form

/// Worker arguments that make it plan the second problem under another text than the one asked for.
std::string reading_the_second_as(std::string const& text) {
  std::string patch;
  for (auto const& [index, kernel] : {std::pair{3, "fake/reference"}, {4, "fake/a"}, {5, "fake/b"}}) {
    patch += fmt::format(R"({}{{"op":"replace","path":"/cases/{}/id","value":"{}@{}"}},)"
                         R"({{"op":"replace","path":"/cases/{}/reference","value":"fake/reference@{}"}})",
                         patch.empty() ? "" : ",", index, kernel, text, index, text);
  }
  return fmt::format("--fault 'plan=patch:[{}]'", patch);
}

TEST_F(SuiteScope, ASuiteMayWriteItsProblemsInAnotherForm) {
  suites({{"default", "problems = [\"f32,nn,m64n64k64\", \"f32,nn,m65n66k67,alpha1\"]"}});
  std::string const reading = reading_the_second_as("f32,nn,m65n66k67");
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, reading).code, 0);
  make("now.json", "check", {}, reading);
  expect_pass(compare("now.json"), 6);
  take("now.json", is_b);
  expect_missing(compare("now.json"), is_b, "perfcheck baseline accept --drop");
  make("now.json", "check", {}, reading);
  take("now.json", is_odd);
  Finished const finished = compare("now.json");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/a@f32,nn,m65n66k67", "missing")));
  EXPECT_THAT(notes(finished), HasSubstr("f32,nn,m65n66k67,alpha1"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
