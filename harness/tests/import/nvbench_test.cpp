// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace perfcheck::importing::testing {
namespace {

using nlohmann::json;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char const* kTimes = "nv/json/bin:nv/cold/sample_times";
constexpr char const* kClocks = "nv/json/freqs-bin:nv/cold/sample_freqs";

model::CaseResult only_case(json const& one_state, ImportOptions const& options = {}) {
  model::Run const run = imported(nvbench("copy", {one_state}), options);
  EXPECT_EQ(run.sessions.at(0).cases.size(), 1U);
  return run.sessions.at(0).cases.at(0);
}

json with_summary(json one_state, json const& another) {
  one_state["summaries"].push_back(another);
  return one_state;
}

std::string bytes_of(std::vector<float> const& values) {
  std::string bytes(sizeof(float) * values.size(), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Options with these files beside the imported one.
ImportOptions beside(std::map<std::string, std::string> files) {
  ImportOptions options;
  options.read_side_file = [files = std::move(files)](std::string const& name) {
    auto const found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  return options;
}

TEST(NVBench, AStateIsACaseNamedByItsAxes) {
  model::Run const run = imported(nvbench(
      "cub.copy", {state({axis_value("T", "string", "F32"), axis_value("Elements", "int64", "1048576")}, "1e-3"),
                   state({axis_value("T", "string", "F64"), axis_value("Elements", "int64", 64)}, "2e-3"),
                   state({axis_value("Duration", "float64", "0.0001")}, "3e-3"), state({}, "4e-3")}));
  EXPECT_THAT(case_of(run, "copy_bench/cub.copy@Elements=1048576,T=F32").rounds->time_ns, ElementsAre(1e6));
  EXPECT_THAT(case_of(run, "copy_bench/cub.copy@Elements=64,T=F64").rounds->time_ns, ElementsAre(2e6));
  EXPECT_THAT(case_of(run, "copy_bench/cub.copy@Duration=0.0001").rounds->time_ns, ElementsAre(3e6));
  EXPECT_THAT(case_of(run, "copy_bench/cub.copy@default").rounds->time_ns, ElementsAre(4e6));
  EXPECT_TRUE(reads_back(run));
}

TEST(NVBench, TheOrderOfTheAxesDoesNotMatterAndNoNameIsAmbiguous) {
  json const n = axis_value("N", "int64", "1"), t = axis_value("T", "string", "a,b=c@d");
  EXPECT_EQ(only_case(state({n, t}, "1")).id, "copy_bench/copy@N=1,T=a%2Cb=c%40d");
  EXPECT_EQ(only_case(state({t, n}, "1")).id, "copy_bench/copy@N=1,T=a%2Cb=c%40d");
  EXPECT_EQ(only_case(state({axis_value("a=b", "string", "c")}, "1")).id, "copy_bench/copy@a%3Db=c");
  EXPECT_EQ(case_of(imported(nvbench("a@b/c", {state({}, "1")})), "copy_bench/a%40b/c@default").status,
            model::CaseStatus::measured);
}

TEST(NVBench, TakesTheMedianWhereThereIsOneElseTheMean) {
  json const one = state({}, "0.002");
  EXPECT_THAT(only_case(one).rounds->time_ns, ElementsAre(2e6));
  EXPECT_THAT(only_case(with_summary(one, summary("nv/cold/time/gpu/median", "0.001"))).rounds->time_ns,
              ElementsAre(1e6));
  // Earlier versions wrote numbers, not strings.
  EXPECT_THAT(only_case(with_summary(one, summary("nv/cold/time/gpu/median", 0.003))).rounds->time_ns,
              ElementsAre(3e6));
  EXPECT_EQ(only_case(one).rounds->launches, 1);
  EXPECT_EQ(only_case(one).seconds, 0.75);
}

TEST(NVBench, TheMeanClockIsThatOfTheOneRound) {
  json const clocked = with_summary(state({}, "0.002"), summary("nv/cold/sm_clock_rate/mean", "1980000000.0"));
  EXPECT_THAT(only_case(clocked).rounds->clock_mhz, ElementsAre(1980));
  EXPECT_THAT(only_case(state({}, "0.002")).rounds->clock_mhz, IsEmpty());
}

TEST(NVBench, SamplesAreTheRounds) {
  json const sampled = with_summary(with_summary(state({}, "0.002"), side_file(kTimes, "out.json-bin/0.bin", 3)),
                                    summary("nv/cold/sm_clock_rate/mean", "1980000000.0"));
  ImportOptions const options = beside({{"out.json-bin/0.bin", bytes_of({1e-3F, 2e-3F, 4e-3F})}});
  model::Rounds const rounds = only_case(sampled, options).rounds.value();
  EXPECT_THAT(rounds.time_ns, ElementsAre(DoubleNear(1e6, 0.1), DoubleNear(2e6, 0.2), DoubleNear(4e6, 0.4)));
  EXPECT_THAT(rounds.clock_mhz, IsEmpty()) << "the mean clock must not be taken for the clock of each sample";
  // Without access to the side file, the mean counts.
  EXPECT_THAT(only_case(sampled).rounds->time_ns, ElementsAre(2e6));

  json const clocked = with_summary(sampled, side_file(kClocks, "out.json-freqs-bin/0.bin", 3));
  ImportOptions const both = beside({{"out.json-bin/0.bin", bytes_of({1e-3F, 2e-3F, 4e-3F})},
                                     {"out.json-freqs-bin/0.bin", bytes_of({1.5e9F, 1.75e9F, 2e9F})}});
  EXPECT_THAT(only_case(clocked, both).rounds->clock_mhz, ElementsAre(1500, 1750, 2000));
}

TEST(NVBench, SamplesThatCannotBeUsedAreAnError) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  auto const complaint_about = [](std::string const& bytes, int size) {
    json const sampled = with_summary(state({}, "0.002"), side_file(kTimes, "out.json-bin/0.bin", size));
    return complaint(nvbench("copy", {sampled}), beside({{"out.json-bin/0.bin", bytes}}));
  };
  std::string const place = "out.json: benchmarks[0].states[0].summaries[5].data[0].value: \"out.json-bin/0.bin\"";
  EXPECT_THAT(complaint_about(bytes_of({1, 2}), 3), HasSubstr(place + " has 8 bytes, not 3 values"));
  EXPECT_THAT(complaint_about(bytes_of({1, 2}) + "x", 2), HasSubstr("has 9 bytes, not 2 values"));
  EXPECT_THAT(complaint_about("", 0), HasSubstr("must be a finite number greater than 0, but is \"0\""));
  for (float const bad : {0.0F, -1.0F, nan, std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(complaint_about(bytes_of({1, bad}), 2), HasSubstr("value 1 of \"out.json-bin/0.bin\"")) << bad;
  }
  json const sampled = with_summary(state({}, "0.002"), side_file(kTimes, "out.json-bin/0.bin", 3));
  EXPECT_THAT(complaint(nvbench("copy", {sampled}), beside({})), HasSubstr("cannot be read; keep it beside"));
  json const clocked = with_summary(sampled, side_file(kClocks, "clocks", 2));
  ImportOptions const uneven = beside({{"out.json-bin/0.bin", bytes_of({1, 2, 3})}, {"clocks", bytes_of({1, 2})}});
  EXPECT_THAT(complaint(nvbench("copy", {clocked}), uneven), HasSubstr("2 clocks for 3 samples"));
}

TEST(NVBench, NumbersThatNoOtherUnitCanHoldAreRefused) {
  EXPECT_THAT(complaint(nvbench("copy", {state({}, "1e300")})), HasSubstr("no size that can be measured"));
  json const slow = with_summary(state({}, "0.002"), summary("nv/cold/sm_clock_rate/mean", "1e-320"));
  EXPECT_THAT(complaint(nvbench("copy", {slow})), HasSubstr("no size that can be measured"));
}

TEST(NVBench, SkippedStatesAreSkippedAndErrorsFail) {
  auto const skipped = [](json const& reason) {
    json one = state({}, "1");
    one["is_skipped"] = true;
    one["skip_reason"] = reason;
    one["summaries"] = nullptr;
    return only_case(one);
  };
  EXPECT_EQ(skipped("too small").status, model::CaseStatus::skipped);
  EXPECT_EQ(skipped("too small").skip_reason, model::SkipReason::refused);
  EXPECT_EQ(skipped("too small").message, "too small");
  EXPECT_EQ(skipped("Unexpected error: out\nof memory").status, model::CaseStatus::failed);
  EXPECT_EQ(skipped("Unexpected error: out\nof memory").message, "Unexpected error: out of memory");
  EXPECT_FALSE(skipped("Unexpected error: x").skip_reason);
  EXPECT_NE(skipped("").message, "");
}

TEST(NVBench, WhatIsTimedOnTheCpuAloneIsSkipped) {
  for (json const& device : {json(nullptr), json(-1)}) {
    json cpu = state({axis_value("N", "int64", "1")}, "1");
    cpu["device"] = device;
    model::Run const run = imported(nvbench("copy", {cpu, state({}, "1")}));
    EXPECT_EQ(case_of(run, "copy_bench/copy@N=1").status, model::CaseStatus::skipped);
    EXPECT_TRUE(reads_back(run));
  }
}

TEST(NVBench, KnowsTheBytesThatTheBenchmarkDeclared) {
  json const one = with_summary(state({}, "0.003"), summary("nv/cold/bw/global/bytes_per_second", "1000001000"));
  EXPECT_EQ(only_case(one).work.bytes, 3000003);
  EXPECT_EQ(only_case(state({}, "0.003")).work.bytes, 0);
  EXPECT_EQ(only_case(one).work.flop, 0);
}

TEST(NVBench, DescribesTheDevice) {
  model::Run const run = imported(nvbench("copy", {state({}, "1")}));
  model::DeviceInfo const& device = run.sessions[0].device;
  EXPECT_EQ(device.backend, "cuda");
  EXPECT_EQ(device.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(device.slug, "nvidia-h100-80gb-hbm3");
  EXPECT_EQ(device.compute_capability, "9.0");
  EXPECT_EQ(device.multiprocessors, 132);
  EXPECT_EQ(device.memory_bytes, 85029158912);
  EXPECT_EQ(device.cache_bytes, 52428800);
  EXPECT_EQ(device.max_clock_mhz, 1980);
  EXPECT_EQ(device.peak_gb_s, 3352.32);
  EXPECT_EQ(run.sessions[0].environment.ecc, "on");
  EXPECT_EQ(run.sessions[0].environment.libraries.at("nvbench"), "0.1.0");
  EXPECT_EQ(run.worker.name, "copy_bench");
  EXPECT_EQ(run.worker.operation, "nvbench");
}

TEST(NVBench, ARunIsAboutOneDevice) {
  json second = state({}, "0.002");
  second["device"] = 1;
  json document = nvbench("copy", {state({}, "0.001"), second});
  json card = document["devices"][0];
  card["id"] = 1;
  card["name"] = "NVIDIA H200";
  document["devices"].push_back(card);
  EXPECT_THAT(complaint(document), HasSubstr("out.json: benchmarks: hold results of devices 0, 1"));
  ImportOptions options;
  options.device = 1;
  model::Run const run = imported(document, options);
  EXPECT_EQ(run.sessions[0].device.name, "NVIDIA H200");
  EXPECT_EQ(run.sessions[0].device.index, 1);
  EXPECT_THAT(case_of(run, "copy_bench/copy@default").rounds->time_ns, ElementsAre(2e6));
  options.device = 0;
  EXPECT_NE(imported(document, options).id, run.id);
  options.device = 2;
  EXPECT_THAT(complaint(document, options), HasSubstr("hold no result of device 2"));
}

TEST(NVBench, TwoStatesOfOneNameAreAnError) {
  EXPECT_THAT(complaint(nvbench("copy", {state({}, "1"), state({}, "2")})),
              HasSubstr("benchmarks[0].states[1].axis_values: there are two results of \"copy_bench/copy@default\""));
}

TEST(NVBench, RefusesWhatItNeedsAndDoesNotFind) {
  json const good = nvbench("copy", {state({axis_value("N", "int64", "8")}, "1e-3")});
  struct Defect {
    char const* operation;
    char const* pointer;
    json value;
    char const* error;
  };
  char const* const mean = "/benchmarks/0/states/0/summaries/1/data/0/value";
  std::vector<Defect> const defects = {
      {"replace", mean, "nan", "summaries[1].data[0].value: must be a finite number greater than 0, but is \"nan\""},
      {"replace", mean, "inf", "but is \"inf\""},
      {"replace", mean, "0", "but is \"0\""},
      {"replace", mean, "-1", "but is \"-1\""},
      {"replace", mean, "1e-3s", "but is \"1e-3s\""},
      {"replace", mean, nullptr, "but is \"null\""},
      {"remove", mean, {}, "summaries[1].data[0].value: is missing"},
      {"replace", "/benchmarks/0/states/0/summaries/1/data", json::array(), "holds no value named \"value\""},
      {"replace", "/benchmarks/0/states/0/summaries/1/tag", "nv/batch/time/gpu/mean", "hold no time on the GPU"},
      {"replace", "/benchmarks/0/states/0/summaries", nullptr, "states[0].summaries: must be an array"},
      {"replace", "/benchmarks/0/states/0/summaries/0/tag", 1, "summaries[0].tag: must be text"},
      {"replace", "/benchmarks/0/states/0/axis_values/0/value", nullptr, "axis_values[0].value: must be a text"},
      {"replace", "/benchmarks/0/states/0/axis_values/0/name", "", "axis_values[0].name: must not be empty"},
      {"replace", "/benchmarks/0/states/0/device", 7, "devices: there is no device 7"},
      {"replace", "/benchmarks/0/states/0/device", "0", "states[0].device: must be a whole number"},
      {"replace", "/benchmarks/0/states/0/device", nullptr, "benchmarks: hold no result of a GPU"},
      {"replace", "/benchmarks/0/name", "", "benchmarks[0].name: must not be empty"},
      {"replace", "/benchmarks", json::array(), "benchmarks: hold no result of a GPU"},
      {"replace", "/devices/0/name", "", "devices[0].name: must not be empty"},
      {"replace", "/devices/0/number_of_sms", "x", "devices[0].number_of_sms: must be a whole number"},
      {"replace", "/meta/version/json/major", 2, "meta.version.json.major: is 2, but this perfcheck reads version 1"},
      {"remove", "/meta/version", {}, "meta.version: is missing"},
      {"replace", "/meta/argv", "x", "meta.argv: must be an array"},
  };
  for (Defect const& defect : defects) {
    json const patched =
        good.patch(json::array({{{"op", defect.operation}, {"path", defect.pointer}, {"value", defect.value}}}));
    EXPECT_THAT(complaint(patched), HasSubstr(defect.error)) << defect.pointer << " " << defect.value;
  }
}

TEST(NVBench, AnAxisThatAppearsTwiceIsAnError) {
  json const n = axis_value("N", "int64", "1");
  EXPECT_THAT(complaint(nvbench("copy", {state({n, n}, "1")})), HasSubstr("the axis \"N\" appears twice"));
}

}  // namespace
}  // namespace perfcheck::importing::testing
