// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/plan.h"

#include "perfcheck/console/errors.h"

#include <gmock/gmock.h>

namespace perfcheck::measuring {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

Plan plan_of(std::vector<std::string> const& ids) {
  Plan plan;
  for (std::string const& id : ids) {
    plan.cases.emplace_back().id = id;
    plan.offered.insert(model::split_case_id(id).problem);
  }
  plan.asked.suite = "s";
  plan.asked.problems.assign(plan.offered.begin(), plan.offered.end());
  return plan;
}

model::Baseline baseline_of(std::vector<std::string> const& ids) {
  model::Baseline baseline;
  for (std::string const& id : ids) {
    baseline.cases[id] = {};
  }
  return baseline;
}

TEST(Expand, ReplacesTypesAndKeepsNamesAndOrder) {
  config::Suite const suite{
      .name = "s",
      .backend = "cpu",
      .description = "",
      .types = {"f32", "f16.f32"},
      .problems = {{"", "{types},nn,m1n1k1"}, {"named", "{types},nt,m2n2k2"}, {"", "f32,nn,m3n3k3"}},
      .kernels = {},
      .rules = {}};
  std::vector<std::string> texts;
  for (config::SuiteProblem const& problem : config::expand(suite)) {
    texts.push_back(problem.name + "|" + problem.problem);
  }
  EXPECT_THAT(texts, ElementsAre("|f32,nn,m1n1k1", "|f16.f32,nn,m1n1k1", "named|f32,nt,m2n2k2",
                                 "named|f16.f32,nt,m2n2k2", "|f32,nn,m3n3k3"));
}

TEST(Injections, AreFoundByKernelOrCaseAndTheLastMatchCounts) {
  Plan const plan = plan_of({"k/a@p", "k/a@q", "k/b@p"});
  EXPECT_THAT(injections({"k/a=3", "*@q=2.5"}, plan), UnorderedElementsAre(Pair("k/a@p", 3), Pair("k/a@q", 2.5)));
}

TEST(Injections, IntoASkippedCaseAreAnError) {
  Plan plan = plan_of({"k/a@p", "k/b@p"});
  plan.cases[0].skip_reason = model::SkipReason::refused;
  EXPECT_THROW(injections({"k/a=3"}, plan), UsageError);
}

TEST(PlannedScope, HoldsPlannedCasesAndStoredOnesThatNoKernelOffers) {
  Plan plan = plan_of({"k/a@p", "k/b@p"});
  plan.asked.elsewhere = {"other suite"};
  model::Baseline const baseline = baseline_of({"k/a@p", "k/deleted@p", "k/a@other suite"});
  EXPECT_THAT(scope_of(plan, &baseline), UnorderedElementsAre("k/a@p", "k/b@p", "k/deleted@p"));
  EXPECT_THAT(scope_of(plan, nullptr), UnorderedElementsAre("k/a@p", "k/b@p"));
  plan.asked.filters = {"k/[ab]"};
  EXPECT_THAT(scope_of(plan, &baseline), UnorderedElementsAre("k/a@p", "k/b@p"));
}

TEST(PlannedScope, HoldsProblemsThatNoKernelOffersAnyMore) {
  Plan plan = plan_of({"k/a@p"});
  plan.asked.problems.emplace_back("q");
  model::Baseline const baseline = baseline_of({"k/gone@q"});
  EXPECT_THAT(scope_of(plan, &baseline), UnorderedElementsAre("k/a@p", "k/gone@q"));
}

TEST(StoredCases, AreAllButThoseOfProblemsThatOnlyOtherSuitesName) {
  config::Asked const asked{.suite = "s", .problems = {"p", "q+"}, .elsewhere = {"other"}, .filters = {}, .shard = {}};
  model::Baseline const baseline = baseline_of({"k/a@p", "k/a@q", "k/a@other", "k/a@no suite's"});
  EXPECT_THAT(config::stored_cases(baseline, asked, {}), UnorderedElementsAre("k/a@p", "k/a@q", "k/a@no suite's"));
  EXPECT_THAT(config::stored_cases(baseline, asked, {"other"}), SizeIs(4))
      << "problems that the run holds are asked for, too";
}

TEST(Suite, TakesTheKernelsThatTheLastMatchingPatternTakes) {
  std::vector<std::string> const all;
  std::vector<std::string> const some = {"*", "!k/step_*", "k/step_last", "!k/step_last@q"};
  struct {
    std::vector<std::string> kernels, ids;
    bool part;
  } const table[] = {
      {all, {"k/a@p"}, true},
      {some, {"k/a@p"}, true},
      {some, {"k/step_one@p"}, false},
      {some, {"k/step_last@p"}, true},
      {some, {"k/step_last@q"}, false},
      {{"k/step_*"}, {"k/step_one@p"}, true},
      {{"k/step_*"}, {"k/a@p"}, false},
      {some, {"k/new@p", "k/step_one@p"}, false},
      {{"k/new", "!k/ol*"}, {"k/new@p"}, true},
  };
  for (auto const& one : table) {
    EXPECT_EQ(config::takes(one.kernels, one.ids), one.part)
        << one.ids.front() << " of " << ::testing::PrintToString(one.kernels);
  }
}

TEST(StoredCases, AreThoseOfKernelsThatTakePartOrWereAcceptedFromTheSuite) {
  config::Asked asked{.suite = "s", .problems = {"p"}, .kernels = {"k/a"}, .filters = {}, .shard = {}};
  model::Baseline baseline = baseline_of({"k/a@p", "k/b@p", "k/c@p", "k/old@p"});
  baseline.sessions.push_back({.id = "1", .suite = "s"});
  baseline.sessions.push_back({.id = "2", .suite = "other"});
  baseline.cases["k/b@p"].session = {"2"};
  baseline.cases["k/c@p"].session = {"1", "2"};
  EXPECT_THAT(config::stored_cases(baseline, asked, {"p"}), UnorderedElementsAre("k/a@p", "k/c@p"));
  asked.kernels = {"*", "!k/old"};
  EXPECT_THAT(config::stored_cases(baseline, asked, {"p"}), UnorderedElementsAre("k/a@p", "k/b@p", "k/c@p"));
}

TEST(StoredCases, AreThoseOfTheProblemsThatAreThereWithoutASuite) {
  model::Baseline const baseline = baseline_of({"k/a@p", "k/gone@p", "k/a@q"});
  EXPECT_THAT(config::stored_cases(baseline, {}, {"p"}), UnorderedElementsAre("k/a@p", "k/gone@p"));
}

TEST(StoredCases, AreAsFewAsFiltersAndShardLeave) {
  std::vector<std::string> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back("k/a@" + std::to_string(i));
    ids.push_back("k/b@" + std::to_string(i));
  }
  model::Baseline const baseline = baseline_of(ids);
  config::Asked asked{.suite = "s", .problems = {}, .elsewhere = {}, .filters = {"k/a"}, .shard = {}};
  EXPECT_THAT(config::stored_cases(baseline, asked, {}), SizeIs(20));
  std::size_t parts = 0;
  for (int const index : {1, 2, 3}) {
    asked.shard = model::Shard{.index = index, .count = 3, .fan_out = ""};
    parts += config::stored_cases(baseline, asked, {}).size();
  }
  EXPECT_EQ(parts, 20U);
}

struct LackingCase {
  char const* what;
  std::vector<std::string> written;
  std::set<std::string> there, elsewhere, stored;
  std::vector<std::string> lacking;
  std::size_t count;
};

TEST(LackingProblems, AreThoseThatNothingThereCanBe) {
  for (LackingCase const& one : {
           LackingCase{"all there", {"p", "q"}, {"p", "q"}, {}, {}, {}, 0},
           LackingCase{"one gone", {"p", "q"}, {"p"}, {}, {}, {"q"}, 1},
           LackingCase{"in another form", {"p", "q+"}, {"p", "q"}, {}, {}, {}, 0},
           LackingCase{"one of two in another form gone", {"p+", "q+"}, {"p"}, {}, {}, {"p+", "q+"}, 1},
           LackingCase{"another suite's is no other form", {"p", "q"}, {"p", "r"}, {"r"}, {}, {"q"}, 1},
           LackingCase{"the baseline tells of it case by case", {"p", "q"}, {"p"}, {}, {"q"}, {}, 0},
           LackingCase{"nothing there", {"p", "q"}, {}, {}, {}, {"p", "q"}, 2},
       }) {
    config::Asked asked{.suite = "s", .problems = one.written, .elsewhere = one.elsewhere, .filters = {}, .shard = {}};
    model::Baseline baseline;
    for (std::string const& problem : one.stored) {
      baseline.cases["k/a@" + problem] = {};
    }
    config::Lacking const lacking = config::lacking_problems(asked, one.there, &baseline);
    EXPECT_EQ(lacking.problems, one.lacking) << one.what;
    EXPECT_EQ(lacking.count, one.count) << one.what;
    asked.filters = {"k/a"};
    EXPECT_EQ(config::lacking_problems(asked, one.there, nullptr).count, 0U)
        << one.what << ": with a filter, a problem may be missing";
  }
}

TEST(AskedFor, KnowsWhatOtherSuitesOfTheBackendNameAndThisOneDoesNot) {
  config::Config const config = config::parse_config(
      "[suites.a.cpu]\ntypes = [\"f\", \"g\"]\nproblems = [\"{types},1\"]\n"
      "[suites.b.cpu]\nproblems = [\"f,1\", \"h,1\"]\n[suites.b.cuda]\nproblems = [\"i,1\"]\n",
      "perfcheck.toml");
  config::Asked const asked = config::asked_for(config, config.suite("a", "cpu"), {"x"}, std::nullopt);
  EXPECT_EQ(asked.suite, "a");
  EXPECT_THAT(asked.problems, ElementsAre("f,1", "g,1"));
  EXPECT_THAT(asked.elsewhere, ElementsAre("h,1"));
  EXPECT_THAT(asked.filters, ElementsAre("x"));
}

TEST(NoMatch, NamesTheNearestCaseOrKernel) {
  EXPECT_THAT(no_match_message(plan_of({"gemm/simt/naive@p"}), {"gemm/simt/niave"}), HasSubstr("'gemm/simt/naive'"));
}

}  // namespace
}  // namespace perfcheck::measuring
