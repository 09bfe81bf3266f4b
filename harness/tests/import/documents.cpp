// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "documents.h"

#include "perfcheck/model/json.h"

#include <gtest/gtest.h>

namespace perfcheck::importing::testing {

using nlohmann::json;

json repetition(std::string const& name, int index, double real_time, std::string const& unit) {
  return {{"name", name},
          {"family_index", 0},
          {"per_family_instance_index", 0},
          {"run_name", name},
          {"run_type", "iteration"},
          {"repetitions", 3},
          {"repetition_index", index},
          {"threads", 1},
          {"iterations", 1000},
          {"real_time", real_time},
          {"cpu_time", real_time / 2},
          {"time_unit", unit}};
}

json aggregate(std::string const& name, std::string const& what, double real_time) {
  json entry = repetition(name, 0, real_time);
  entry["name"] = name + "_" + what;
  entry["run_type"] = "aggregate";
  entry["aggregate_name"] = what;
  entry["aggregate_unit"] = "time";
  entry["iterations"] = 3;
  entry.erase("repetition_index");
  return entry;
}

json google_benchmark(std::vector<json> const& entries) {
  json const cache = {{"type", "Unified"}, {"level", 3}, {"size", 33554432}, {"num_sharing", 8}};
  json const small_cache = {{"type", "Data"}, {"level", 1}, {"size", 32768}, {"num_sharing", 1}};
  return {{"context",
           {{"date", "2026-11-22T09:40:36+02:00"},
            {"host_name", "runner-7"},
            {"executable", "/home/ci/build/sgemm_bench"},
            {"num_cpus", 8},
            {"mhz_per_cpu", 3600},
            {"cpu_scaling_enabled", false},
            {"caches", {cache, small_cache}},
            {"load_avg", {0.5, 0.25, 0.125}},
            {"library_build_type", "release"}}},
          {"benchmarks", entries}};
}

json summary(std::string const& tag, json const& value) {
  return {{"tag", tag},
          {"name", "for people"},
          {"hint", "duration"},
          {"data", {{{"name", "value"}, {"type", "float64"}, {"value", value}}}}};
}

json side_file(std::string const& tag, std::string const& name, int size) {
  return {{"tag", tag},
          {"data",
           {{{"name", "filename"}, {"type", "string"}, {"value", name}},
            {{"name", "size"}, {"type", "int64"}, {"value", std::to_string(size)}}}}};
}

json axis_value(std::string const& name, std::string const& type, json const& value) {
  return {{"name", name}, {"type", type}, {"value", value}};
}

json state(std::vector<json> const& axis_values, std::string const& mean) {
  return {{"name", "Device=0"},
          {"device", 0},
          {"type_config_index", 0},
          {"axis_values", axis_values.empty() ? json() : json(axis_values)},
          {"summaries",
           {summary("nv/cold/sample_size", "499"), summary("nv/cold/time/gpu/mean", mean),
            summary("nv/cold/time/gpu/stdev/relative", "0.002"), summary("nv/cold/walltime", "0.5"),
            summary("nv/batch/walltime", "0.25")}},
          {"is_skipped", false}};
}

json nvbench(std::string const& name, std::vector<json> const& states) {
  return {{"meta",
           {{"argv", {"./bin/copy_bench", "--json", "out.json"}},
            {"version",
             {{"json", {{"major", 1}, {"minor", 0}, {"patch", 0}, {"string", "1.0.0"}}},
              {"nvbench", {{"major", 0}, {"minor", 1}, {"patch", 0}, {"string", "0.1.0"}}}}}}},
          {"devices",
           {{{"id", 0},
             {"name", "NVIDIA H100 80GB HBM3"},
             {"sm_version", 900},
             {"sm_default_clock_rate", 1980000000},
             {"number_of_sms", 132},
             {"global_memory_size", 85029158912},
             {"global_memory_bus_bandwidth", 3352320000000},
             {"l2_cache_size", 52428800},
             {"ecc_state", true}}}},
          {"benchmarks", {{{"name", name}, {"index", 0}, {"devices", {0}}, {"axes", nullptr}, {"states", states}}}}};
}

model::Run imported(json const& document, ImportOptions options) {
  options.started = options.started.empty() ? "2026-11-22T08:00:00Z" : options.started;
  return run_from_any(document.dump(2), "out.json", options);
}

std::string complaint(std::string const& text, ImportOptions options) {
  options.started = "2026-11-22T08:00:00Z";
  try {
    (void)run_from_any(text, "out.json", options);
  } catch (model::FormatError const& error) {
    std::string const what = error.what();
    EXPECT_TRUE(what.starts_with("out.json:")) << what;
    for (char const c : what) {
      EXPECT_TRUE(c >= ' ' && c <= '~') << "not one line of plain text: " << what;
    }
    return what;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

std::string complaint(json const& document, ImportOptions options) {
  return complaint(document.dump(2), std::move(options));
}

model::CaseResult case_of(model::Run const& run, std::string const& id) {
  for (model::CaseResult const& result : run.sessions.at(0).cases) {
    if (result.id == id) {
      return result;
    }
  }
  ADD_FAILURE() << "there is no case " << id << " in " << model::run_to_text(run);
  return {};
}

bool reads_back(model::Run const& run) {
  std::string const text = model::run_to_text(run);
  return model::run_to_text(model::run_from_text(text, "written")) == text;
}

}  // namespace perfcheck::importing::testing
