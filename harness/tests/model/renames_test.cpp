// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/renames.h"

#include "samples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Pairs = std::vector<std::pair<std::string, std::string>>;

Renames renames(Pairs const& pairs) {
  std::vector<Rename> entries;
  for (auto const& [from, to] : pairs) {
    entries.push_back({.from = from, .to = to, .place = fmt::format("perfcheck.toml:{}", entries.size() + 1)});
  }
  return Renames(std::move(entries));
}

std::string error_of(Pairs const& pairs) {
  try {
    (void)renames(pairs);
  } catch (RenameError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Renames, MakeTodaysIdsOfOldOnes) {
  struct Row {
    Pairs entries;
    char const* before;
    char const* now;
  };
  for (Row const& row : std::vector<Row>{
           {{}, "gemm/a@f32", "gemm/a@f32"},
           {{{"gemm/a", "gemm/b"}}, "gemm/a@f32,nn", "gemm/b@f32,nn"},
           {{{"gemm/a", "gemm/b"}}, "gemm/ab@f32,nn", "gemm/ab@f32,nn"},
           {{{"gemm/a", "gemm/b"}}, "x/gemm/a@f32,nn", "x/gemm/a@f32,nn"},
           {{{"gemm/library/cublas_*", "gemm/cublas/*"}}, "gemm/library/cublas_f32@f32", "gemm/cublas/f32@f32"},
           {{{"gemm/library/cublas_*", "gemm/cublas/*"}}, "gemm/library/openblas@f32", "gemm/library/openblas@f32"},
           {{{"simt/*_of_*", "gemm/*/*"}}, "simt/a_of_b_of_c@f32", "gemm/a/b_of_c@f32"},
           {{{"*@f32.f32,*", "*@f32,*"}}, "gemm/a@f32.f32,nn", "gemm/a@f32,nn"},
           {{{"gemm/a@f32,*", "gemm/b@f32,*"}}, "gemm/a@f16,nn", "gemm/a@f16,nn"},
           // A pattern without '@' matches kernels, so it ignores text after '@'.
           {{{"gemm/*x", "gemm/*y"}}, "gemm/a@f32x", "gemm/a@f32x"},
           // Special characters of other pattern languages are plain text here.
           {{{"gemm/a?", "gemm/b"}}, "gemm/aa@f32", "gemm/aa@f32"},
           {{{"gemm/a[1]", "gemm/b"}}, "gemm/a[1]@f32", "gemm/b@f32"},
           {{{"gemm/a", "gemm/b"}}, "no case", "no case"},
       }) {
    EXPECT_EQ(renames(row.entries).now(row.before), row.now) << row.before;
    EXPECT_EQ(renames(row.entries).now(row.now), row.now) << "today's ids stay: " << row.now;
  }
}

TEST(Renames, GoThroughAllNamesThatAKernelHad) {
  Renames const chain = renames({{"a/*", "b/*"}, {"b/x", "c/x"}, {"c/*", "d/*"}});
  EXPECT_EQ(chain.now("a/x@p"), "d/x@p");
  EXPECT_EQ(chain.now("b/x@p"), "d/x@p");
  EXPECT_EQ(chain.now("c/x@p"), "d/x@p");
  EXPECT_EQ(chain.now("a/y@p"), "b/y@p");
  EXPECT_EQ(chain.kernel_now("a/x"), "d/x");
  EXPECT_THAT(chain.before("d/x@p"), ElementsAre("c/x@p", "b/x@p", "a/x@p"));
  EXPECT_THAT(chain.before("b/y@p"), ElementsAre("a/y@p"));
  EXPECT_THAT(chain.before("b/x@p"), IsEmpty()) << "no case has this id any more";
  EXPECT_EQ(chain.place_of("a/x@p"), "perfcheck.toml:3");
  EXPECT_EQ(chain.place_of("d/x@p"), "");
}

TEST(Renames, OfSingleCasesLeaveTheOthersAlone) {
  Renames const both = renames({{"a", "b"}, {"b", "c"}});
  Renames const some = both.limited(1, {"b@1"});
  EXPECT_EQ(some.now("a@1"), "c@1");
  EXPECT_EQ(some.now("b@1"), "c@1");
  EXPECT_EQ(some.now("a@2"), "b@2");
  EXPECT_EQ(some.place_of("a@2"), "perfcheck.toml:1");
  EXPECT_THAT(some.before("c@1"), ElementsAre("b@1", "a@1"));
  EXPECT_THAT(some.before("c@2"), IsEmpty());
  EXPECT_EQ(some.kernel_now("a"), "c");
  EXPECT_EQ(both.limited(1, {}).kernel_now("a"), "b");
  EXPECT_EQ(both.limited(2, {}).now("a@1"), "c@1") << "without entries to limit, nothing changes";
}

TEST(Renames, ThatCannotBeHonouredAreRefusedWithPlaceAndRemedy) {
  struct Row {
    Pairs entries;
    char const* why;
  };
  for (Row const& row : std::vector<Row>{
           {{{"", "b"}}, "neither a kernel's id nor a case's"},
           {{{"a", "@p"}}, "neither a kernel's id nor a case's"},
           {{{"a@", "b@"}}, "neither a kernel's id nor a case's"},
           {{{"a\n", "b"}}, "neither a kernel's id nor a case's"},
           {{{"a", "b@p"}}, "must both be of kernels, or both of cases"},
           {{{"a*", "b"}}, "must have as many * each"},
           {{{"a*@*", "b@*p*"}}, "must have as many * each"},
           {{{"a**", "b**"}}, "side by side"},
           {{{"*a*b*c*d*", "*a*b*c*d*e"}}, "more than 4"},
           {{{"a", "a"}}, "are the same: take it out"},
           {{{"a/*", "a/b*"}}, "renamed again, and again"},
           {{{"a", "b"}, {"b", "a"}}, "it is a circle"},
           {{{"a", "b"}, {"b", "c"}, {"c", "a"}}, "it is a circle"},
           {{{"b", "c"}, {"a", "b"}}, "put it above that one"},
           {{{"b/*", "c/*"}, {"a", "b/a"}}, "put it above that one"},
           {{{"a/*", "b/*"}, {"a/x", "c"}}, "matches nothing, because perfcheck.toml:1 renames all of it"},
           {{{"a", "b"}, {"a@p", "c@p"}}, "matches nothing"},
           {{{"a", "c"}, {"b", "c"}}, "both make \"c\"; give one of them another id"},
       }) {
    std::string const place = fmt::format("perfcheck.toml:{}: ", row.entries.size());
    EXPECT_THAT(error_of(row.entries), AllOf(StartsWith(place), HasSubstr(row.why))) << row.why;
  }
  EXPECT_EQ(error_of({{"a@p", "c@p"}, {"a", "b"}}), "no error") << "an exception may precede the rule";
}

TEST(Renames, PatternsOverlapWhereOneTextMatchesBoth) {
  for (auto const& [one, other, overlap] : std::vector<std::tuple<char const*, char const*, bool>>{
           {"a", "a", true},
           {"a", "b", false},
           {"a*", "*b", true},
           {"a*c", "ab*", true},
           {"a*c", "b*", false},
           {"*", "x", true},
           {"x*y*z", "xyz", true},
           {"x*y*z", "xz", false},
           {"a", "a@p", true},
           {"a@q", "a@p", false},
           {"a@*,nn", "*@f32,*", true},
       }) {
    EXPECT_EQ(patterns_overlap(one, other), overlap) << one << " " << other;
    EXPECT_EQ(patterns_overlap(other, one), overlap) << other << " " << one;
  }
}

TEST(Renames, ChangeEveryIdOfABaselineAndNothingElse) {
  Baseline const before = samples::complete_baseline();
  std::string const old_id = before.cases.begin()->first, kernel = split_case_id(old_id).kernel;
  Renames const entries = renames({{kernel, "new/name"}});
  Baseline now = renamed(before, entries, "x.json");
  std::string const new_id = case_id("new/name", split_case_id(old_id).problem);
  ASSERT_TRUE(now.cases.contains(new_id));
  EXPECT_FALSE(now.cases.contains(old_id));
  EXPECT_EQ(now.cases.size(), before.cases.size());
  EXPECT_EQ(now.cases.at(new_id).time_ns, before.cases.at(old_id).time_ns);
  for (auto const& [id, stored] : now.cases) {
    EXPECT_FALSE(split_case_id(stored.reference).kernel == kernel) << id;
  }
}

TEST(Renames, ChangeWhatAFindingIsAboutThatSomebodyAccepted) {
  Baseline baseline;
  baseline.accepted.push_back({.despite = {{.finding = "outlier:run/s3:a@f32,x:y", .text = "", .why = ""},
                                           {.finding = "session:run/s3", .text = "", .why = ""}}});
  Baseline const now = renamed(baseline, renames({{"a", "b"}}), "x.json");
  EXPECT_EQ(now.accepted[0].despite[0].finding, "outlier:run/s3:b@f32,x:y");
  EXPECT_EQ(now.accepted[0].despite[1].finding, "session:run/s3");
}

TEST(Renames, ThatMakeOneCaseOfTwoAreRefused) {
  Baseline baseline;
  baseline.cases["a@p"] = baseline.cases["b@p"] = {};
  for (auto const& [from, to] : Pairs{{"a", "b"}, {"b", "a"}}) {
    try {
      (void)renamed(baseline, renames({{from, to}}), "x.json");
      FAIL() << from;
    } catch (RenameError const& error) {
      EXPECT_EQ(error.what(), fmt::format("perfcheck.toml:1: makes \"{}@p\" of \"{}@p\", and x.json holds another case "
                                          "that is called so: give it another id, or take the old case out",
                                          to, from));
    }
  }
  model::Run run;
  run.base_sessions.resize(1);
  run.base_sessions[0].cases.resize(2);
  run.base_sessions[0].cases[0].id = "a@p";
  run.base_sessions[0].cases[1].id = "b@p";
  EXPECT_THROW((void)renamed(run, renames({{"a", "b"}}), "run"), RenameError);
}

TEST(Renames, ChangeCasesReferencesAndKernelsOfARun) {
  model::Run run;
  run.kernels.resize(3);
  run.kernels[0].id = "a";
  run.kernels[1].id = "ref";
  run.kernels[2].id = "ref2";
  run.kernels[2].summary = "today's";
  run.sessions.resize(1);
  run.sessions[0].cases.resize(1);
  run.sessions[0].cases[0].id = "a@p";
  run.sessions[0].cases[0].reference = "ref@p";
  run.base_sessions = run.sessions;
  model::Run const now = renamed(run, renames({{"a", "b"}, {"ref", "ref2"}}), "run");
  for (std::vector<Session> const* sessions : {&now.sessions, &now.base_sessions}) {
    EXPECT_EQ(sessions->at(0).cases[0].id, "b@p");
    EXPECT_EQ(sessions->at(0).cases[0].reference, "ref2@p");
  }
  ASSERT_EQ(now.kernels.size(), 2U);
  EXPECT_EQ(now.kernels[0].id, "b");
  EXPECT_EQ(now.kernels[1].summary, "today's");
}

}  // namespace
}  // namespace perfcheck::model
