// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/page_json.h"

#include "page/json_parts.h"
#include "perfcheck/model/json_members.h"

#include <fmt/format.h>

#include <stdexcept>

namespace perfcheck::report {
namespace {

using nlohmann::json;

json last_run_json(ManifestRun const& run) {
  json result{{"started", run.started}, {"counts", run.counts}};
  model::put_nonempty(result, "commit", run.commit);
  if (run.exit_code) result["exit_code"] = *run.exit_code;
  return result;
}

std::size_t checked(int index, std::size_t size, std::string const& of) {
  if (index < 0 || static_cast<std::size_t>(index) >= size) {
    throw std::invalid_argument(fmt::format("a report cannot be written: {} is {}, but there are {}", of, index, size));
  }
  return static_cast<std::size_t>(index);
}

void check_creep(ReportCreep const& creep, std::size_t runs, std::string const& id) {
  for (int const run : {creep.anchor_from, creep.anchor_to, creep.onset, creep.alarm})
    checked(run, runs, "a run of the creep of " + id);
  for (ReportCreep::Commit const& commit : creep.commits) checked(commit.run, runs, "a commit in the creep of " + id);
}

void check_indices(ReportDevice const& report) {
  for (ReportRun const& run : report.runs) {
    if (run.commit != -1) checked(run.commit, report.commits.size(), "the commit of run " + run.id);
    checked(run.environment, report.environments.size(), "the environment of run " + run.id);
  }
  for (ReportCase const& one : report.cases) {
    checked(one.kernel, report.kernels.size(), "the kernel of " + one.id);
    checked(one.problem, report.problems.size(), "the problem of " + one.id);
    if (one.latest) checked(one.latest->run, report.runs.size(), "the latest run of " + one.id);
    if (one.creep) check_creep(*one.creep, report.runs.size(), one.id);
  }
}

/// The device's own members; what is 0 is not known.
json card_json(ReportDevice const& report) {
  model::DeviceInfo const& card = report.card;
  json result{{"key", report.key},       {"name", card.name},
              {"slug", card.slug},       {"operation", report.operation},
              {"backend", card.backend}, {"repository", report.repository}};
  model::put_nonempty(result, "compute_capability", card.compute_capability);
  if (card.multiprocessors > 0) result["multiprocessors"] = card.multiprocessors;
  if (card.memory_bytes > 0) result["memory_bytes"] = card.memory_bytes;
  if (card.cache_bytes > 0) result["cache_bytes"] = card.cache_bytes;
  if (card.max_clock_mhz > 0) put_rounded(result, "max_clock_mhz", card.max_clock_mhz);
  if (!card.peak_tflops.empty()) result["peak_tflops"] = card.peak_tflops;
  put_rounded(result, "peak_gb_s", card.peak_gb_s);
  put_rounded(result, "peak_cache_gb_s", card.peak_cache_gb_s);
  put_rounded(result, "empty_launch_ns", card.empty_launch_ns);
  return result;
}

template <typename Values, typename Make>
json array_of(Values const& values, Make make) {
  json result = json::array();
  for (auto const& value : values) result.push_back(make(value));
  return result;
}

}  // namespace

std::string device_key(int device) { return fmt::format("d{}", device); }
std::string series_key(int device, int case_index) { return fmt::format("d{}c{}", device, case_index); }
std::string detail_key(int device, int case_index) { return fmt::format("d{}c{}x", device, case_index); }
std::string runs_key(int device, int block) { return fmt::format("d{}r{}", device, block); }

ManifestDevice manifest_device(ReportDevice const& report, int device) {
  ManifestDevice result{.key = report.key,
                        .name = report.card.name,
                        .operation = report.operation,
                        .backend = report.card.backend,
                        .chunk = device_key(device),
                        .cases = static_cast<int>(report.cases.size()),
                        .runs = static_cast<int>(report.runs.size())};
  if (!report.runs.empty()) {
    ReportRun const& last = report.runs.back();
    result.last_run = ManifestRun{.started = last.started, .exit_code = last.exit_code, .counts = last.counts};
    if (last.commit != -1)
      result.last_run->commit =
          report.commits[checked(last.commit, report.commits.size(), "the commit of run " + last.id)].id;
  }
  return result;
}

std::string manifest_json(ReportManifest const& manifest) {
  json const devices = array_of(manifest.devices, [](ManifestDevice const& device) {
    json result{{"key", device.key},         {"name", device.name},   {"operation", device.operation},
                {"backend", device.backend}, {"chunk", device.chunk}, {"cases", device.cases},
                {"runs", device.runs}};
    if (device.last_run) result["last_run"] = last_run_json(*device.last_run);
    return result;
  });
  return json_text({{"schema", "perfcheck.report/1"},
                    {"title", manifest.title},
                    {"generated", manifest.generated},
                    {"tool_version", manifest.tool_version},
                    {"site", manifest.kind == PageKind::site},
                    {"notes", manifest.notes},
                    {"devices", devices}});
}

std::string device_json(ReportDevice const& report, std::vector<SeriesFacts> const& facts, int device) {
  if (facts.size() != report.cases.size()) {
    throw std::invalid_argument(fmt::format("a report cannot be written: {} cases with the facts of {} series",
                                            report.cases.size(), facts.size()));
  }
  check_indices(report);
  json result = card_json(report);
  result["commits"] = array_of(report.commits, [](auto const& commit) { return commit_json(commit); });
  result["environments"] = array_of(report.environments, [](auto const& each) { return environment_json(each); });
  result["runs"] = array_of(report.runs, [](auto const& run) { return run_json(run); });
  result["problems"] = array_of(report.problems, [](auto const& problem) { return problem_json(problem); });
  result["kernels"] = array_of(report.kernels, [](auto const& kernel) { return kernel_json(kernel); });
  result["calibrations"] = array_of(report.calibrations, [](auto const& each) { return calibration_json(each); });
  if (report.creep) {
    result["creep"] = {{"judged", report.creep->judged}};
    model::put_nonempty(result["creep"], "release", report.creep->release);
  }
  result["metrics"] = metrics_json();
  json& cases = result["cases"] = json::array();
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    json one = case_json(report.cases[i], facts[i]);
    one["chunk"] = series_key(device, static_cast<int>(i));
    cases.push_back(std::move(one));
  }
  return json_text(result);
}

std::string detail_json(std::vector<DetailSession> const& sessions) {
  return json_text(
      {{"sessions", array_of(sessions, [](auto const& session) { return detail_session_json(session); })}});
}

}  // namespace perfcheck::report
