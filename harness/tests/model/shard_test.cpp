// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/shard.h"

#include "perfcheck/model/json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <stdexcept>

namespace perfcheck::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string id_of(int i) { return fmt::format("gemm/k{}@f32,nn,m{}n64k64", i % 7, i); }

/// Shard `index` of `count` of a run with `cases` cases, as if a worker had measured it.
Run run_of(int index, int count, int cases = 40) {
  Run run;
  run.id = fmt::format("20261121T08150{}Z-000{}", index, index);
  run.started = fmt::format("2026-11-21T08:15:0{}Z", index);
  run.seconds = index;
  run.worker.operation = "gemm";
  run.source.commit = "abc";
  run.shard = Shard{.index = index, .count = count, .fan_out = "ci-1"};
  Session session;
  session.id = "s1";
  session.device.slug = "card";
  for (int i = 0; i < cases; ++i) {
    if (measures(run.shard, id_of(i))) {
      session.cases.emplace_back().id = id_of(i);
    }
  }
  run.sessions = {session};
  return run;
}

std::string error_of(std::vector<Run> shards) {
  try {
    (void)merge(std::move(shards));
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

TEST(Shard, OfACaseIsTheSameOnEveryMachineAndInEveryVersion) {
  // Fixed values: the shards of one fan-out may be measured by different builds, so the assignment must never change.
  EXPECT_EQ(shard_of("gemm/simt/naive@f32,nn,m512n512k512", 8), 7);
  EXPECT_EQ(shard_of("gemm/simt/naive@f32,nn,m512n512k513", 8), 4);
  EXPECT_EQ(shard_of("gemm/mma/tf32_pipeline@tf32,nn,m4096n4096k4096", 3), 2);
}

TEST(Shard, SpreadCasesEvenly) {
  for (int const count : {2, 3, 8}) {
    std::vector<int> sizes(static_cast<std::size_t>(count));
    constexpr int kCases = 4000;
    for (int i = 0; i < kCases; ++i) {
      ++sizes.at(static_cast<std::size_t>(shard_of(id_of(i), count) - 1));
    }
    for (int const size : sizes) {
      EXPECT_NEAR(size * count, kCases, 0.15 * kCases) << count;
    }
  }
}

TEST(Shard, OfAllShardsExactlyOneMeasuresACase) {
  for (int i = 0; i < 200; ++i) {
    int owners = 0;
    for (int index = 1; index <= 5; ++index) {
      owners += measures(Shard{.index = index, .count = 5, .fan_out = ""}, id_of(i)) ? 1 : 0;
    }
    EXPECT_EQ(owners, 1);
  }
  EXPECT_TRUE(measures(std::nullopt, "a@b"));
  EXPECT_TRUE(measures(Shard{.index = 0, .count = 5, .fan_out = ""}, "a@b"));
}

TEST(MergedShards, HoldEveryCaseOnceWhateverTheirOrder) {
  MergedRun const merged = merge({run_of(3, 3), run_of(1, 3), run_of(2, 3)});
  EXPECT_THAT(merged.missing, IsEmpty());
  EXPECT_EQ(merged.run.shard, (Shard{.index = 0, .count = 3, .fan_out = "ci-1"}));
  EXPECT_EQ(merged.run.started, "2026-11-21T08:15:01Z");
  EXPECT_EQ(merged.run.seconds, 3) << "the shards ran at the same time";
  std::size_t cases = 0;
  for (Session const& session : merged.run.sessions) {
    cases += session.cases.size();
  }
  EXPECT_EQ(cases, 40U);
  EXPECT_EQ(merged.run.sessions.size(), 3U);
  EXPECT_EQ(merged.run.sessions[2].id, "s3");
  EXPECT_EQ(run_to_text(merged.run), run_to_text(merge({run_of(1, 3), run_of(2, 3), run_of(3, 3)}).run));
  EXPECT_NE(merged.run.id, merge({run_of(1, 3), run_of(2, 3)}).run.id);
}

TEST(MergedShards, HoldTheAxesOfAllOfThemOnce) {
  model::Run first = run_of(1, 2), second = run_of(2, 2);
  first.problems = {{.text = "a", .axes = {{"m", 1}}}, {.text = "b", .axes = {{"m", 2}}}};
  second.problems = {{.text = "b", .axes = {{"m", 2}}}, {.text = "c", .axes = {{"m", 3}}}};
  EXPECT_EQ(merge({first, second}).run.problems, (std::vector<ProblemInfo>{{.text = "a", .axes = {{"m", 1}}},
                                                                           {.text = "b", .axes = {{"m", 2}}},
                                                                           {.text = "c", .axes = {{"m", 3}}}}));
}

TEST(MergedShards, OfWorkersWithOtherOperationsAreRefused) {
  model::Run first = run_of(1, 2), second = run_of(2, 2);
  second.worker.operations = {"gemm", "rows"};
  EXPECT_NE(error_of({first, second}).find("operation is \"gemm\" in one and \"gemm, rows\" in the other"),
            std::string::npos)
      << error_of({first, second});
}

TEST(MergedShards, NameThoseThatAreNotThere) {
  EXPECT_THAT(merge({run_of(2, 4), run_of(4, 4)}).missing, ElementsAre(1, 3));
}

TEST(MergedShards, AreRefusedWhereTheyAreNotOfOneFanOut) {
  EXPECT_THAT(error_of({}), HasSubstr("no shard"));
  EXPECT_THAT(error_of({run_of(1, 2), run_of(1, 2)}), HasSubstr("shard 1 is there twice"));
  EXPECT_THAT(error_of({run_of(1, 2), run_of(2, 3)}), HasSubstr("number of shards"));
  model::Run other = run_of(2, 2);
  other.shard->fan_out = "ci-2";
  EXPECT_THAT(error_of({run_of(1, 2), other}), HasSubstr("fan-out is \"ci-1\" in one and \"ci-2\""));
  other = run_of(2, 2);
  other.source.commit = "def";
  EXPECT_THAT(error_of({run_of(1, 2), other}), HasSubstr("commit"));
  other = run_of(2, 2);
  other.sessions.front().device.slug = "another";
  EXPECT_THAT(error_of({run_of(1, 2), other}), HasSubstr("device model"));
  other = run_of(2, 2);
  other.sessions.clear();
  EXPECT_THAT(error_of({run_of(1, 2), other}), HasSubstr("holds no session"));
  other.shard.reset();
  EXPECT_THAT(error_of({run_of(1, 2), other}), HasSubstr("is no shard"));
}

TEST(MergedShards, AreRefusedWhereACaseIsNotTheirs) {
  model::Run thief = run_of(1, 2);
  model::Run const rightful = run_of(2, 2);
  thief.sessions.front().cases.push_back(rightful.sessions.front().cases.front());
  EXPECT_THAT(error_of({thief, rightful}), HasSubstr("which is not of shard 1 of 2"));
}

}  // namespace
}  // namespace perfcheck::model
