// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Importing files that the other programs wrote themselves.
#include "documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace perfcheck::importing::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string content_of(std::filesystem::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

// google_benchmark/example.cpp with three repetitions, by Google Benchmark 1.7.1.
TEST(GoogleBenchmarkExample, IsReadAsItWasMeant) {
  std::string const text = content_of(PERFCHECK_GOOGLE_BENCHMARK_EXAMPLE);
  ASSERT_THAT(text, HasSubstr("NaN")) << "the example must contain NaN, which is not valid JSON";
  model::Run const run = run_from_any(text, "example.json", {});
  EXPECT_EQ(run.imported_from, "Google Benchmark");  // 1.7.1 does not write its version
  EXPECT_THAT(run.source.commit, SizeIs(40));
  std::string const program = "perfcheck_google_benchmark_example";
  EXPECT_EQ(run.worker.name, program);
  EXPECT_THAT(run.sessions.at(0).cases, SizeIs(7));
  for (auto const& [id, ns] : std::map<std::string, double>{{"/told@10,iterations:10,manual_time", 1e4},
                                                            {"/told@2000,iterations:10,manual_time", 2e6},
                                                            {"/told/more@us:300,iterations:10,manual_time", 3e5}}) {
    model::Rounds const rounds = case_of(run, program + id).rounds.value();
    EXPECT_THAT(rounds.time_ns, SizeIs(3));
    EXPECT_THAT(rounds.time_ns, Each(::testing::DoubleNear(ns, 1e-9 * ns))) << id;
  }
  EXPECT_THAT(case_of(run, program + "/waits@100,iterations:20,real_time").rounds->time_ns, Each(::testing::Gt(0.9e5)));
  EXPECT_THAT(case_of(run, program + "/sums<float>%40stack@256,iterations:1000").rounds->time_ns, SizeIs(3));
  EXPECT_THAT(case_of(run, program + "/sums<double>@256,iterations:1000,process_time").rounds->time_ns, SizeIs(3));
  EXPECT_EQ(case_of(run, program + "/refuses@default").message, "there is no such device");
  EXPECT_TRUE(reads_back(run));
}

// nvbench/make_example.py, by NVBench 0.1.0 (cuda-bench 0.3.0) on an H100.
TEST(NVBenchExample, IsReadAsItWasMeant) {
  ImportOptions options;
  options.started = "2026-11-22T08:00:00Z";
  model::Run const run = run_from_any(content_of(PERFCHECK_NVBENCH_EXAMPLE), "example.json", options);
  EXPECT_THAT(run.imported_from, HasSubstr("NVBench"));
  EXPECT_EQ(run.sessions.at(0).device.backend, "cuda");
  EXPECT_THAT(run.sessions.at(0).device.name, HasSubstr("NVIDIA"));
  for (char const* const mebibytes : {"1", "16", "64"}) {
    std::string const id = std::string("make_example.py/fill@MiB=") + mebibytes;
    model::CaseResult const fill = case_of(run, id);
    EXPECT_EQ(fill.status, model::CaseStatus::measured) << id;
    ASSERT_TRUE(fill.rounds) << id;
    EXPECT_THAT(fill.rounds->time_ns, Each(::testing::AllOf(::testing::Gt(100), ::testing::Lt(1e9)))) << id;
    EXPECT_EQ(fill.work.bytes, std::stod(mebibytes) * 1024 * 1024) << id;
  }
  EXPECT_EQ(case_of(run, "make_example.py/copy@Direction=there,MiB=16").status, model::CaseStatus::measured);
  EXPECT_EQ(case_of(run, "make_example.py/fill@MiB=16").rounds->time_ns.at(0), 8864.000439643859)
      << "the time must be NVBench's median";
  EXPECT_EQ(case_of(run, "make_example.py/copy@Direction=nowhere,MiB=16").status, model::CaseStatus::skipped);
  EXPECT_TRUE(reads_back(run));
}

}  // namespace
}  // namespace perfcheck::importing::testing
