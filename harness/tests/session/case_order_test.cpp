// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "case_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace perfcheck::session {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<protocol::PlannedCase> cases_of(std::vector<std::string> const& ids) {
  std::vector<protocol::PlannedCase> cases;
  for (std::string const& id : ids) {
    cases.emplace_back();
    cases.back().id = id;
  }
  return cases;
}

std::vector<protocol::PlannedCase> many_cases() {
  std::vector<std::string> ids;
  for (char kernel = 'a'; kernel < 'f'; ++kernel) {
    for (int problem = 0; problem < 6; ++problem)
      ids.push_back(std::string(1, kernel) + "@p" + std::to_string(problem));
  }
  return cases_of(ids);
}

TEST(CaseOrder, WithoutSeedProblemsKeepTheOrderOfFirstAppearance) {
  EXPECT_THAT(case_order(cases_of({"a@p2", "a@p1", "b@p2", "b@p1"}), std::nullopt), ElementsAre(0, 2, 1, 3));
}

TEST(CaseOrder, SkippedCasesDoNotRun) {
  auto cases = cases_of({"a@p", "b@p"});
  cases[0].skip_reason = model::SkipReason::refused;
  EXPECT_THAT(case_order(cases, 1), ElementsAre(1));
  EXPECT_THAT(case_order({}, 1), IsEmpty());
}

TEST(CaseOrder, EverySeedRunsEachCaseOnceAndKeepsProblemsTogether) {
  auto const cases = many_cases();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<std::size_t> const order = case_order(cases, seed);
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), cases.size()) << "seed " << seed;
    int changes = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
      changes +=
          model::split_case_id(cases[order[i]].id).problem != model::split_case_id(cases[order[i - 1]].id).problem;
    }
    EXPECT_EQ(changes, 5) << "seed " << seed;
  }
}

TEST(CaseOrder, TheSeedDecides) {
  auto const cases = many_cases();
  EXPECT_EQ(case_order(cases, 7), case_order(cases, 7));
  std::set<std::vector<std::size_t>> orders;
  std::set<std::size_t> first;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    orders.insert(case_order(cases, seed));
    first.insert(case_order(cases, seed).front());
  }
  EXPECT_EQ(orders.size(), 50U);
  EXPECT_GT(first.size(), 15U);  // problems are shuffled, and kernels within a problem, too
}

}  // namespace
}  // namespace perfcheck::session
