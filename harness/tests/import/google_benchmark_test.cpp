// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfcheck::importing::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

json with(json entry, char const* key, json const& value) {
  entry[key] = value;
  return entry;
}

json in_context(char const* key, json const& value) {
  json document = google_benchmark({repetition("BM_A/1", 0, 10)});
  document["context"][key] = value;
  return document;
}

TEST(GoogleBenchmark, RepetitionsAreTheRoundsInNanoseconds) {
  model::Run const run = imported(
      google_benchmark({repetition("BM_A/512", 0, 10), repetition("BM_B/8", 0, 2, "us"), repetition("BM_A/512", 1, 12),
                        repetition("BM_C", 0, 3, "ms"), repetition("BM_A/512", 2, 11), repetition("BM_D", 0, 4, "s")}));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_A@512").rounds->time_ns, ElementsAre(10, 12, 11));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_B@8").rounds->time_ns, ElementsAre(2e3));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_C@default").rounds->time_ns, ElementsAre(3e6));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_D@default").rounds->time_ns, ElementsAre(4e9));
  EXPECT_EQ(case_of(run, "sgemm_bench/BM_A@512").rounds->launches, 1000);
  EXPECT_NEAR(case_of(run, "sgemm_bench/BM_A@512").seconds, 33e-6, 1e-12);
  EXPECT_TRUE(reads_back(run));
}

TEST(GoogleBenchmark, AggregatesCountOnlyWhereRepetitionsWereLeftOut) {
  model::Run const run = imported(google_benchmark({repetition("BM_A/1", 0, 10), repetition("BM_A/1", 1, 12),
                                                    aggregate("BM_A/1", "median", 99), aggregate("BM_B/1", "mean", 8),
                                                    aggregate("BM_B/1", "median", 7), aggregate("BM_B/1", "cv", 0.1)}));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_A@1").rounds->time_ns, ElementsAre(10, 12));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_B@1").rounds->time_ns, ElementsAre(7));
  EXPECT_EQ(run.sessions[0].cases.size(), 2U);
}

TEST(GoogleBenchmark, ComplexityIsNoCase) {
  json big_o = {{"name", "BM_A_BigO"}, {"run_name", "BM_A"},      {"run_type", "aggregate"}, {"aggregate_name", "BigO"},
                {"time_unit", "ns"},   {"cpu_coefficient", 0.67}, {"big_o", "(1)"}};
  EXPECT_EQ(imported(google_benchmark({repetition("BM_A/1", 0, 10), big_o})).sessions[0].cases.size(), 1U);
}

TEST(GoogleBenchmark, RealTimeCountsUnlessTheNameAsksForTheProcess) {
  json entry = repetition("BM_A/1/process_time", 0, 10);
  json both = repetition("BM_A/1/process_time/real_time", 0, 10);
  model::Run const run = imported(google_benchmark({repetition("BM_A/1", 0, 10), entry, both}));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_A@1").rounds->time_ns, ElementsAre(10));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_A@1,process_time").rounds->time_ns, ElementsAre(5));
  EXPECT_THAT(case_of(run, "sgemm_bench/BM_A@1,process_time,real_time").rounds->time_ns, ElementsAre(10));
}

TEST(GoogleBenchmark, AnErrorIsAFailedCaseWithItsMessage) {
  json error = repetition("BM_A", 1, 0);
  error["error_occurred"] = true;
  error["error_message"] = "no\nGPU";
  json nameless = repetition("BM_B", 0, 0);
  nameless["error_occurred"] = true;
  model::Run const run = imported(google_benchmark({repetition("BM_A", 0, 10), error, nameless}));
  EXPECT_EQ(case_of(run, "sgemm_bench/BM_A@default").status, model::CaseStatus::failed);
  EXPECT_EQ(case_of(run, "sgemm_bench/BM_A@default").message, "no GPU");
  EXPECT_NE(case_of(run, "sgemm_bench/BM_B@default").message, "");
  EXPECT_TRUE(reads_back(run));
}

TEST(GoogleBenchmark, WhatSkippedItselfIsSkipped) {
  json const entry = {{"name", "BM_A"}, {"run_type", "iteration"}, {"skipped", true}, {"skip_message", "too small"}};
  model::CaseResult const result = case_of(imported(google_benchmark({entry})), "sgemm_bench/BM_A@default");
  EXPECT_EQ(result.status, model::CaseStatus::skipped);
  EXPECT_EQ(result.skip_reason, model::SkipReason::refused);
  EXPECT_EQ(result.message, "too small");
}

TEST(GoogleBenchmark, TwoBenchmarksOfOneNameAreAnError) {
  json const again = repetition("BM_A/1", 0, 11);
  json other = repetition("BM_A/1", 1, 11);
  other["family_index"] = 3;
  for (json const& twin : {again, other, with(aggregate("BM_A/1", "median", 9), "family_index", 3)}) {
    EXPECT_THAT(complaint(google_benchmark({repetition("BM_A/1", 0, 10), twin})),
                HasSubstr("out.json: benchmarks[1].name: two benchmarks are named \"BM_A/1\""));
  }
  json const median = aggregate("BM_A/1", "median", 9);
  EXPECT_THAT(complaint(google_benchmark({median, median})), HasSubstr("two benchmarks"));
}

TEST(GoogleBenchmark, NumbersThatAreNoneAreRefusedWhereTheyAreNeeded) {
  std::string const text = google_benchmark({repetition("BM_A/1", 0, 10)}).dump();
  auto const replaced = [&text](std::string const& from, std::string const& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  std::string const counters = replaced("\"real_time\":10.0", "\"real_time\":10.0,\"a\":NaN,\"b\":[-NaN,-Infinity]");
  EXPECT_EQ(run_from_any(counters, "f", {}).sessions.at(0).cases.size(), 1U);
  EXPECT_THAT(complaint(replaced("\"real_time\":10.0", "\"real_time\":NaN")),
              HasSubstr("benchmarks[0].real_time: must be a finite number, but is the text \"NaN\""));
  std::string const named = replaced("\"run_name\":\"BM_A/1\"", R"("run_name":"BM_\"NaN\\","x":Infinity)");
  EXPECT_EQ(run_from_any(named, "f", {}).sessions.at(0).cases.at(0).id, "sgemm_bench/BM_\"NaN\\@default");
}

TEST(GoogleBenchmark, ATimeThatNoNumberOfNanosecondsHoldsIsRefused) {
  EXPECT_THAT(complaint(google_benchmark({repetition("BM_A/1", 0, 1e300, "s")})), HasSubstr("sgemm_bench/BM_A@1"));
  EXPECT_THAT(complaint(google_benchmark({repetition("BM_A/1", 0, 1e200)})), HasSubstr("no size that can be measured"));
}

TEST(GoogleBenchmark, DescribesTheMachineAsFarAsTheFileKnowsIt) {
  model::Run const run = imported(google_benchmark({repetition("BM_A/1", 0, 10)}));
  model::DeviceInfo const& device = run.sessions[0].device;
  EXPECT_EQ(device.backend, "cpu");
  EXPECT_EQ(device.name, "8 CPUs, 32 MiB L3");
  EXPECT_EQ(device.slug, "8-cpus-32-mib-l3");
  EXPECT_EQ(device.multiprocessors, 8);
  EXPECT_EQ(device.cache_bytes, 33554432);
  EXPECT_EQ(device.max_clock_mhz, 3600);
  EXPECT_EQ(run.sessions[0].environment.host, "runner-7");
  EXPECT_EQ(run.started, "2026-11-22T07:40:36Z");
  EXPECT_EQ(run.worker.name, "sgemm_bench");
  EXPECT_EQ(run.worker.operation, "gbench");
  // What changes with every start of the machine or container must not identify another device.
  json moved = in_context("mhz_per_cpu", 2100);
  moved["context"]["host_name"] = "runner-8";
  EXPECT_EQ(imported(moved).sessions[0].device.slug, device.slug);
  EXPECT_EQ(imported(moved).sessions[0].device.uuid, device.uuid);
  EXPECT_EQ(imported(in_context("num_cpus", 1)).sessions[0].device.slug, "1-cpu-32-mib-l3");
  EXPECT_EQ(imported(in_context("caches", json::array())).sessions[0].device.slug, "8-cpus");
}

TEST(GoogleBenchmark, WarnsAboutWhatMakesItsTimesWorse) {
  auto const warnings = [](json const& document) {
    ImportOptions named;
    named.device_name = "runner";
    return imported(document, named).sessions[0].environment.warnings;
  };
  EXPECT_THAT(warnings(in_context("library_build_type", "release")), IsEmpty());
  EXPECT_THAT(warnings(in_context("library_build_type", "debug")), ElementsAre(HasSubstr("release build")));
  EXPECT_THAT(warnings(in_context("cpu_scaling_enabled", true)), ElementsAre(HasSubstr("governor")));
  EXPECT_THAT(imported(in_context("x", 1)).sessions[0].environment.warnings, ElementsAre(HasSubstr("--device-name")));
}

TEST(GoogleBenchmark, TellsItsVersionAndTheCommitWhereTheFileDoes) {
  json document = in_context("library_version", "v1.9.1");
  document["context"]["commit"] = "0123abc";
  model::Run const run = imported(document);
  EXPECT_EQ(run.imported_from, "Google Benchmark 1.9.1");
  EXPECT_EQ(run.sessions[0].environment.libraries.at("google-benchmark"), "1.9.1");
  EXPECT_EQ(run.source.commit, "0123abc");
  EXPECT_THAT(imported(in_context("x", 1)).sessions[0].environment.libraries, IsEmpty());
}

TEST(GoogleBenchmark, ReadsTheDateInEveryZone) {
  std::pair<char const*, char const*> const dates[] = {{"2026-11-22T07:40:36+00:00", "2026-11-22T07:40:36Z"},
                                                       {"2026-11-22T07:40:36Z", "2026-11-22T07:40:36Z"},
                                                       {"2026-01-01T00:30:00+05:45", "2025-12-31T18:45:00Z"},
                                                       {"2024-02-28T23:00:00-0330", "2024-02-29T02:30:00Z"}};
  for (auto const& [date, utc] : dates) {
    EXPECT_EQ(imported(in_context("date", date)).started, utc);
  }
  for (char const* const bad : {"", "2026-11-22", "2026-02-30T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T07:40:36",
                                "2026-11-22T07:40:36+1", "2026-11-22T07:40:36+00:00x", "2026/11/22-07:40:36"}) {
    EXPECT_THAT(complaint(in_context("date", bad)), HasSubstr("out.json: context.date: ")) << bad;
  }
}

TEST(GoogleBenchmark, RefusesWhatItNeedsAndDoesNotFind) {
  json const good = google_benchmark({repetition("BM_A/1", 0, 10)});
  struct Defect {
    char const* operation;
    char const* pointer;
    json value;
    char const* error;
  };
  std::vector<Defect> const defects = {
      {"replace", "/benchmarks/0/real_time", 0, "benchmarks[0].real_time: must be a number greater than 0"},
      {"replace", "/benchmarks/0/real_time", -1, "benchmarks[0].real_time: must be a number greater than 0"},
      {"replace", "/benchmarks/0/real_time", "10", "benchmarks[0].real_time: must be a finite number"},
      {"remove", "/benchmarks/0/real_time", {}, "benchmarks[0].real_time: is missing"},
      {"replace", "/benchmarks/0/time_unit", "min", "benchmarks[0].time_unit: is \"min\"; "},
      {"replace", "/benchmarks/0/iterations", 0, "benchmarks[0].iterations: must be a whole number"},
      {"replace", "/benchmarks/0/run_type", "itteration", "did you mean \"iteration\"?"},
      {"remove", "/benchmarks/0/run_type", {}, "benchmarks[0].run_type: is missing"},
      {"replace", "/benchmarks/0/run_name", "", "benchmarks[0].run_name: must not be empty"},
      {"replace", "/benchmarks/0/repetition_index", -1, "benchmarks[0].repetition_index"},
      {"replace", "/benchmarks/0", 1, "benchmarks[0]: must be an object"},
      {"replace", "/benchmarks", json::object(), "benchmarks: must be an array"},
      {"replace", "/benchmarks", json::array(), "holds no result"},
      {"replace", "/context", 1, "context: must be an object"},
      {"replace", "/context/num_cpus", 0, "context.num_cpus: must be a whole number"},
      {"remove", "/context/num_cpus", {}, "context.num_cpus: is missing"},
      {"replace", "/context/caches/0/size", "x", "context.caches[0].size: must be a whole number"},
      {"replace", "/context/executable", 1, "context.executable: must be text"},
  };
  for (Defect const& defect : defects) {
    json const patched =
        good.patch(json::array({{{"op", defect.operation}, {"path", defect.pointer}, {"value", defect.value}}}));
    EXPECT_THAT(complaint(patched), HasSubstr(defect.error)) << defect.pointer;
  }
}

TEST(GoogleBenchmark, IgnoresKeysThatItDoesNotKnow) {
  json document = in_context("json_schema_version", 1);
  document["more"] = {{"a", 1}};
  document["benchmarks"][0]["allocs_per_iter"] = 3;
  EXPECT_EQ(imported(document).sessions[0].cases.size(), 1U);
}

}  // namespace
}  // namespace perfcheck::importing::testing
