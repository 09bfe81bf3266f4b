// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "measuring/plan.h"

#include "command_line/errors.h"

#include <gmock/gmock.h>

namespace perfcheck::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Plan plan_of(std::vector<std::string> const& ids) {
  Plan plan;
  for (std::string const& id : ids) {
    plan.cases.emplace_back().id = id;
    plan.problems.push_back(model::split_case_id(id).problem);
  }
  return plan;
}

TEST(Expand, ReplacesTypesAndKeepsNamesAndOrder) {
  Suite const suite{.name = "s",
                    .backend = "cpu",
                    .description = "",
                    .types = {"f32", "f16.f32"},
                    .problems = {{"", "{types},nn,m1n1k1"}, {"named", "{types},nt,m2n2k2"}, {"", "f32,nn,m3n3k3"}},
                    .rules = {}};
  std::vector<std::string> texts;
  for (SuiteProblem const& problem : expand(suite)) {
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

TEST(Scope, HoldsPlannedCasesAndStoredCasesOfTheirProblems) {
  Plan const plan = plan_of({"k/a@p", "k/b@p"});
  model::Baseline baseline;
  baseline.cases = {{"k/a@p", {}}, {"k/deleted@p", {}}, {"k/a@other suite", {}}};
  EXPECT_THAT(scope_of(plan, &baseline, {}), UnorderedElementsAre("k/a@p", "k/b@p", "k/deleted@p"));
  EXPECT_THAT(scope_of(plan, &baseline, {"k/[ab]"}), UnorderedElementsAre("k/a@p", "k/b@p"));
  EXPECT_THAT(scope_of(plan, nullptr, {}), UnorderedElementsAre("k/a@p", "k/b@p"));
}

TEST(Scope, AProblemThatNoKernelOffersAnyMoreIsStillInScope) {
  Plan plan = plan_of({"k/a@p"});
  plan.problems.push_back("q");
  model::Baseline baseline;
  baseline.cases = {{"k/gone@q", {}}};
  EXPECT_THAT(scope_of(plan, &baseline, {}), UnorderedElementsAre("k/a@p", "k/gone@q"));
}

TEST(NoMatch, NamesTheNearestCaseOrKernel) {
  EXPECT_THAT(no_match_message(plan_of({"gemm/simt/naive@p"}), {"gemm/simt/niave"}), HasSubstr("'gemm/simt/naive'"));
}

}  // namespace
}  // namespace perfcheck::cli
