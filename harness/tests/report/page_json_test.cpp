// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/page_json.h"

#include "report_samples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace perfcheck::report {
namespace {

using nlohmann::json;

std::set<std::string> keys(json const& object) {
  std::set<std::string> result;
  for (auto const& [key, value] : object.items()) result.insert(key);
  return result;
}

std::vector<SeriesFacts> facts_for(ReportDevice const& device) { return std::vector<SeriesFacts>(device.cases.size()); }

ReportLatest whole_latest() {
  return {.run = 2,
          .message = "m",
          .verdict = model::Verdict::regressed,
          .reason_code = "c",
          .reason = "r",
          .also_changed = "a",
          .decided_by = "ratio",
          .change = 0.03,
          .low = 0.028,
          .high = 0.032,
          .margin = 0.01,
          .detectable = 0.005,
          .figures = {.time_ns = 1,
                      .cycles = 3,
                      .clock_mhz = 4,
                      .ratio = 2,
                      .noise = 5,
                      .flop = 6e3,
                      .bytes = 7,
                      .peak_tflops = 8}};
}

TEST(Keys, AreThoseOfTheContract) {
  EXPECT_EQ(device_key(0), "d0");
  EXPECT_EQ(series_key(0, 12), "d0c12");
  EXPECT_EQ(detail_key(3, 12), "d3c12x");
  EXPECT_EQ(runs_key(1, 2), "d1r2");
}

TEST(Manifest, HoldsWhatTheContractNames) {
  ReportDevice device = samples::small_device(3);
  device.runs.back().exit_code = 1;
  ReportManifest manifest{.title = "t", .generated = "g", .tool_version = "v", .notes = {"n"}};
  manifest.devices = {manifest_device(device, 4)};
  json const document = json::parse(manifest_json(manifest));
  EXPECT_EQ(keys(document),
            (std::set<std::string>{"schema", "title", "generated", "tool_version", "site", "notes", "devices"}));
  EXPECT_EQ(document.at("schema"), "perfcheck.report/1");
  json const& one = document.at("devices").at(0);
  EXPECT_EQ(one, json::parse(R"({"key": "nvidia-h100-80gb-hbm3/gemm", "name": "NVIDIA H100 80GB HBM3",
      "operation": "gemm", "backend": "cuda", "chunk": "d4", "cases": 4, "runs": 3,
      "last_run": {"started": "2026-11-21T08:15:02Z", "commit": "1000002abcdef", "exit_code": 1, "counts": {"pass": 4}}})"));
}

TEST(Manifest, KnowsNoLastRunOfAnEmptyHistory) {
  EXPECT_FALSE(manifest_device({}, 0).last_run.has_value());
  EXPECT_FALSE(
      json::parse(manifest_json({.devices = {manifest_device({}, 0)}})).at("devices").at(0).contains("last_run"));
}

TEST(DeviceDocument, HoldsWhatTheContractNames) {
  ReportDevice device = samples::small_device(3);
  device.cases[0].latest = whole_latest();
  device.cases[0].baseline = ReportBaseline{.sessions = 5,
                                            .accepted = "d",
                                            .who = "w",
                                            .why = "y",
                                            .commit = "c",
                                            .time_ns = ReportLevel{2, 1, 3},
                                            .ratio = ReportLevel{2, 1, 3},
                                            .cycles = ReportLevel{2, 1, 3},
                                            .margin = 0.01};
  device.calibrations = {{.recorded = "r", .json = R"({"suite": "s"})"}};
  std::vector<SeriesFacts> facts = facts_for(device);
  facts[0] = {.runs = 3,
              .scatter = {{.metric = Metric::time, .sd = 0.00123456, .df = 7}},
              .spark = {1, std::numeric_limits<double>::quiet_NaN(), 1.0123456},
              .changes = {{.metric = Metric::cycles,
                           .run = 2,
                           .from = 1,
                           .to = 2,
                           .size = 0.05,
                           .low = 0.04,
                           .high = 0.06,
                           .before = 10,
                           .after = 10.5,
                           .p = 1e-9,
                           .went_away = true}}};
  json const document = json::parse(device_json(device, facts, 7));
  json const& one = document.at("cases").at(0);
  EXPECT_EQ(keys(one), (std::set<std::string>{"id", "kernel", "problem", "reference", "arithmetic", "chunk", "metric",
                                              "runs", "spark", "scatter", "latest", "baseline", "changes"}));
  EXPECT_EQ(one.at("chunk"), "d7c0");
  EXPECT_EQ(document.at("cases").at(3).at("chunk"), "d7c3");
  EXPECT_EQ(one.at("scatter"), json::parse(R"({"time": {"sd": 0.0012346, "df": 7.0}})"));
  EXPECT_EQ(one.at("spark"), json::parse("[1.0, null, 1.0123]"));
  EXPECT_EQ(one.at("changes").at(0), json::parse(R"({"metric": "cycles", "run": 2, "from": 1, "to": 2, "size": 0.05,
      "low": 0.04, "high": 0.06, "before": 10.0, "after": 10.5, "p": 1e-9, "went_away": true})"));
  EXPECT_EQ(one.at("baseline"), json::parse(R"({"sessions": 5, "accepted": "d", "who": "w", "why": "y", "commit": "c",
      "time_ns": {"median": 2.0, "low": 1.0, "high": 3.0}, "ratio": {"median": 2.0, "low": 1.0, "high": 3.0},
      "cycles": {"median": 2.0, "low": 1.0, "high": 3.0}, "margin": 0.01})"));
  EXPECT_EQ(one.at("latest"), json::parse(R"({"run": 2, "status": "measured", "message": "m", "verdict": "regressed",
      "reason_code": "c", "reason": "r", "also_changed": "a", "decided_by": "ratio", "change": 0.03, "low": 0.028,
      "high": 0.032, "margin": 0.01, "detectable": 0.005, "time_ns": 1.0, "ratio": 2.0, "cycles": 3.0, "clock_mhz": 4.0,
      "noise": 5.0, "tflops": 6.0, "gb_s": 7.0, "reference_share": 0.5, "peak_share": 0.75})"));
  EXPECT_EQ(document.at("calibrations"), json::parse(R"([{"recorded": "r", "calibration": {"suite": "s"}}])"));
}

TEST(DeviceDocument, SaysWhatCrept) {
  ReportDevice device = samples::small_device(3);
  EXPECT_FALSE(json::parse(device_json(device, facts_for(device), 0)).contains("creep")) << "creep was not looked for";
  device.creep = ReportCreepSummary{.judged = 4, .release = "v1"};
  device.cases[1].creep =
      ReportCreep{.status = "drifted",
                  .metric = Metric::cycles,
                  .drift = 0.0102,
                  .low = 0.009,
                  .high = 0.011,
                  .margin = 0.005,
                  .anchor = "the release",
                  .anchor_from = 0,
                  .anchor_to = 1,
                  .onset = 1,
                  .alarm = 2,
                  .commits = {{.run = 2, .moved = 0.004, .low = 0.003, .high = 0.005, .likeliest = true}, {.run = 1}}};
  json const document = json::parse(device_json(device, facts_for(device), 0));
  EXPECT_EQ(document.at("creep"), json::parse(R"({"judged": 4, "release": "v1"})"));
  EXPECT_FALSE(document.at("cases").at(0).contains("creep"));
  EXPECT_EQ(document.at("cases").at(1).at("creep"), json::parse(R"({"status": "drifted", "metric": "cycles",
      "drift": 0.0102, "low": 0.009, "high": 0.011, "margin": 0.005, "anchor": "the release", "anchor_from": 0,
      "anchor_to": 1, "onset": 1, "alarm": 2, "commits": [
        {"run": 2, "moved": 0.004, "low": 0.003, "high": 0.005, "likeliest": true}, {"run": 1, "likeliest": false}]})"));
}

TEST(DeviceDocument, SaysWhereAndWithWhatRunsWereMade) {
  ReportDevice device = samples::small_device(1);
  device.card.multiprocessors = 132;
  device.card.memory_bytes = 85899345920;
  device.environments[0].environment = {
      .driver = "580", .libraries = {{"cublas", "13.1.0"}}, .power_limit_w = 700, .warnings = {"w"}};
  device.environments[0].compiler = "GCC";
  device.runs[0] = {.id = "i",
                    .started = "s",
                    .commit = -1,
                    .dirty = true,
                    .card = "u",
                    .suite = "q",
                    .filters = {"f"},
                    .sessions = 2,
                    .seconds = 1.5,
                    .exit_code = 0,
                    .counts = {{"pass", 1}},
                    .origin = "synthetic",
                    .notes = {"n"}};
  json const document = json::parse(device_json(device, facts_for(device), 0));
  EXPECT_EQ(document.at("multiprocessors"), 132);
  EXPECT_EQ(document.at("memory_bytes"), 85899345920);
  EXPECT_FALSE(document.contains("cache_bytes")) << "an unknown size must be left out";
  EXPECT_FALSE(document.contains("peak_gb_s"));
  EXPECT_EQ(document.at("peak_tflops"), json::parse(R"({"f16": 989.4})"));
  EXPECT_EQ(document.at("environments").at(0), json::parse(R"({"driver": "580", "libraries": {"cublas": "13.1.0"},
      "power_limit_w": 700, "warnings": ["w"], "compiler": "GCC"})"));
  EXPECT_EQ(document.at("runs").at(0), json::parse(R"({"id": "i", "started": "s", "commit": -1, "dirty": true,
      "environment": 0, "card": "u", "suite": "q", "filters": ["f"], "sessions": 2, "seconds": 1.5, "exit_code": 0,
      "counts": {"pass": 1}, "origin": "synthetic", "notes": ["n"]})"));
  EXPECT_EQ(document.at("problems").at(0), json::parse(R"({"text": "f16.f32,nn,m4096n4096k4096", "name": "square",
      "flop": 137438953472, "bytes": 100663296, "axes": [{"name": "types", "value": "f16.f32"}, {"name": "m", "value": 4096}]})"));
  EXPECT_EQ(document.at("kernels").at(0), json::parse(R"({"id": "gemm/simt/naive",
      "summary": "One thread for each element", "file": "kernels/a.cu", "line": 3})"));
  EXPECT_EQ(document.at("kernels").at(1), json::parse(R"({"id": "gemm/mma/f16_pipeline", "executes": "f16",
      "work_share": 0.875})"));
  EXPECT_EQ(document.at("peak_cache_gb_s"), 5500);
  EXPECT_EQ(document.at("empty_launch_ns"), 812.5);
  EXPECT_EQ(document.at("commits").at(0), json::parse(R"({"id": "1000000abcdef", "subject": "Change 1000000",
      "author": "A. Person", "committed": "2026-11-01T08:00:00Z", "branch": ""})"));
}

TEST(DeviceDocument, RefusesIndicesThatPointNowhere) {
  auto const refused = [](auto change) {
    ReportDevice device = samples::small_device(2);
    change(device);
    EXPECT_THROW(device_json(device, facts_for(device), 0), std::invalid_argument);
  };
  refused([](ReportDevice& device) { device.runs[0].commit = 2; });
  refused([](ReportDevice& device) { device.runs[0].commit = -2; });
  refused([](ReportDevice& device) { device.runs[0].environment = 1; });
  refused([](ReportDevice& device) { device.cases[0].kernel = 4; });
  refused([](ReportDevice& device) { device.cases[0].problem = -1; });
  refused([](ReportDevice& device) { device.cases[0].latest->run = 2; });
  refused([](ReportDevice& device) { device.cases[0].creep = ReportCreep{.onset = 2}; });
  refused([](ReportDevice& device) { device.cases[0].creep = ReportCreep{.commits = {{.run = -1}}}; });
  refused([](ReportDevice& device) { device.calibrations = {{.recorded = "x", .json = "{"}}; });
  ReportDevice const device = samples::small_device(2);
  EXPECT_THROW(device_json(device, {}, 0), std::invalid_argument) << "facts are needed for every case";
}

TEST(DeviceDocument, KeepsHostileTextInsideItsTexts) {
  for (std::string const& text : samples::hostile_texts()) {
    SCOPED_TRACE(text.substr(0, 40));
    ReportDevice const device = samples::hostile_device(text);
    std::string const document = device_json(device, facts_for(device), 0);
    EXPECT_EQ(document.find('<'), std::string::npos);
    json const expected = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
    EXPECT_EQ(json::parse(document).at("commits").at(0).at("subject"), expected);
    EXPECT_EQ(json::parse(document).at("cases").at(0).at("id"), expected);
  }
}

TEST(Detail, HoldsSessionsWithTheCaseAsInARunFile) {
  DetailSession session{.run = 5};
  session.session.id = "s1";
  session.session.started = "2026-11-21T08:15:02Z";
  session.session.purpose = model::SessionPurpose::confirm;
  session.session.seed = UINT64_MAX;
  session.result.id = "a@b";
  session.result.status = model::CaseStatus::crashed;
  session.result.message = "<gone>";
  json const document = json::parse(detail_json({session, session}));
  ASSERT_EQ(document.at("sessions").size(), 2u);
  json const& one = document.at("sessions").at(0);
  EXPECT_EQ(keys(one), (std::set<std::string>{"run", "id", "purpose", "started", "seed", "result"}));
  EXPECT_EQ(one.at("run"), 5);
  EXPECT_EQ(one.at("purpose"), "confirm");
  EXPECT_EQ(one.at("seed"), "18446744073709551615")
      << "the seed must be text, since a browser's numbers have too few digits";
  EXPECT_EQ(one.at("result").at("message"), "<gone>");
  EXPECT_EQ(one.at("result").at("status"), "crashed");
  EXPECT_EQ(json::parse(detail_json({})), json::parse(R"({"sessions": []})"));
}

}  // namespace
}  // namespace perfcheck::report
