// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "page/json_parts.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"

#include <cmath>
#include <stdexcept>

namespace perfcheck::report {
namespace {

using nlohmann::json;

constexpr int kDigits = 7;       // ratios repeat to 2e-4, and readers compare their differences
constexpr int kSparkDigits = 5;  // a line of 40 pixels

json level_json(ReportLevel const& level) {
  json result = json::object();
  put_rounded(result, "median", level.median);
  put_rounded(result, "low", level.low);
  put_rounded(result, "high", level.high);
  return result;
}

json latest_json(ReportLatest const& latest) {
  json result{{"run", latest.run}, {"status", model::to_text(latest.status)}};
  model::put_nonempty(result, "message", latest.message);
  if (latest.verdict) result["verdict"] = model::to_text(*latest.verdict);
  model::put_nonempty(result, "reason_code", latest.reason_code);
  model::put_nonempty(result, "reason", latest.reason);
  model::put_nonempty(result, "also_changed", latest.also_changed);
  model::put_nonempty(result, "decided_by", latest.decided_by);
  put_rounded(result, "change", latest.change);
  put_rounded(result, "low", latest.low);
  put_rounded(result, "high", latest.high);
  put_rounded(result, "margin", latest.margin);
  put_rounded(result, "detectable", latest.detectable);
  for (MetricRow const& metric : metrics()) {
    if (metric.readers.page) put_rounded(result, metric.key, metric.of(latest.figures));
  }
  return result;
}

json baseline_json(ReportBaseline const& baseline) {
  json result{{"sessions", baseline.sessions}};
  model::put_nonempty(result, "accepted", baseline.accepted);
  model::put_nonempty(result, "who", baseline.who);
  model::put_nonempty(result, "why", baseline.why);
  model::put_nonempty(result, "commit", baseline.commit);
  if (baseline.time_ns) result["time_ns"] = level_json(*baseline.time_ns);
  if (baseline.ratio) result["ratio"] = level_json(*baseline.ratio);
  if (baseline.cycles) result["cycles"] = level_json(*baseline.cycles);
  put_rounded(result, "margin", baseline.margin);
  return result;
}

json change_json(ReportChange const& change) {
  json result{{"metric", to_text(change.metric)},
              {"run", change.run},
              {"from", change.from},
              {"to", change.to},
              {"went_away", change.went_away}};
  put_rounded(result, "size", change.size);
  put_rounded(result, "low", change.low);
  put_rounded(result, "high", change.high);
  put_rounded(result, "before", change.before);
  put_rounded(result, "after", change.after);
  put_rounded(result, "p", change.p);
  return result;
}

json creep_json(ReportCreep const& creep) {
  json result{{"status", creep.status},       {"metric", to_text(creep.metric)},
              {"anchor", creep.anchor},       {"anchor_from", creep.anchor_from},
              {"anchor_to", creep.anchor_to}, {"onset", creep.onset},
              {"alarm", creep.alarm},         {"commits", json::array()}};
  put_rounded(result, "drift", creep.drift);
  put_rounded(result, "low", creep.low);
  put_rounded(result, "high", creep.high);
  put_rounded(result, "margin", creep.margin);
  for (ReportCreep::Commit const& commit : creep.commits) {
    json one{{"run", commit.run}, {"likeliest", commit.likeliest}};
    put_rounded(one, "moved", commit.moved);
    put_rounded(one, "low", commit.low);
    put_rounded(one, "high", commit.high);
    result["commits"].push_back(std::move(one));
  }
  return result;
}

}  // namespace

std::string json_text(json const& value) {
  std::string const text = model::one_line_text(value);
  std::string result;
  result.reserve(text.size());
  for (char const c : text) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

void put_rounded(json& object, char const* key, std::optional<double> value) {
  if (value && std::isfinite(*value)) object[key] = model::rounded(*value, kDigits);
}

json commit_json(ReportCommit const& commit) {
  return {{"id", commit.id},
          {"subject", commit.subject},
          {"author", commit.author},
          {"committed", commit.committed},
          {"branch", commit.branch}};
}

json environment_json(ReportEnvironment const& environment) {
  json result = model::to_json(environment.environment);
  model::put_nonempty(result, "tool_version", environment.tool_version);
  model::put_nonempty(result, "compiler", environment.compiler);
  model::put_nonempty(result, "cuda_toolkit", environment.cuda_toolkit);
  return result;
}

json run_json(ReportRun const& run) {
  json result{{"id", run.id},        {"started", run.started},         {"commit", run.commit},
              {"dirty", run.dirty},  {"environment", run.environment}, {"sessions", run.sessions},
              {"counts", run.counts}};
  model::put_nonempty(result, "card", run.card);
  model::put_nonempty(result, "suite", run.suite);
  if (!run.filters.empty()) result["filters"] = run.filters;
  put_rounded(result, "seconds", run.seconds);
  if (run.exit_code) result["exit_code"] = *run.exit_code;
  model::put_nonempty(result, "origin", run.origin);
  if (!run.notes.empty()) result["notes"] = run.notes;
  return result;
}

json problem_json(ReportProblem const& problem) {
  json result{{"text", problem.text}};
  model::put_nonempty(result, "name", problem.name);
  if (problem.flop > 0) result["flop"] = model::count_json(problem.flop);
  if (problem.bytes > 0) result["bytes"] = model::count_json(problem.bytes);
  if (!problem.axes.empty()) {
    result["axes"] = model::to_json(model::ProblemInfo{.text = problem.text, .axes = problem.axes}).at("axes");
  }
  return result;
}

json kernel_json(ReportKernel const& kernel) {
  json result{{"id", kernel.id}};
  model::put_nonempty(result, "summary", kernel.summary);
  model::put_nonempty(result, "file", kernel.file);
  if (kernel.line > 0) result["line"] = kernel.line;
  model::put_nonempty(result, "library", kernel.library);
  model::put_nonempty(result, "executes", kernel.executes);
  if (kernel.work_share > 0) put_rounded(result, "work_share", kernel.work_share);
  return result;
}

json case_json(ReportCase const& one, SeriesFacts const& facts) {
  json spark = json::array(), changes = json::array();
  for (double const value : facts.spark)
    spark.push_back(std::isfinite(value) ? json(model::rounded(value, kSparkDigits)) : json(nullptr));
  for (ReportChange const& change : facts.changes) changes.push_back(change_json(change));
  json scatter = json::object();
  for (RunScatter const& of : facts.scatter) {
    scatter[to_text(of.metric)] = {{"sd", model::rounded(of.sd, kSparkDigits)},
                                   {"df", model::rounded(of.df, kSparkDigits)}};
  }
  json result{{"id", one.id},
              {"kernel", one.kernel},
              {"problem", one.problem},
              {"metric", to_text(one.metric)},
              {"runs", facts.runs},
              {"spark", std::move(spark)},
              {"scatter", std::move(scatter)},
              {"changes", std::move(changes)}};
  model::put_nonempty(result, "reference", one.reference);
  model::put_nonempty(result, "arithmetic", one.arithmetic);
  if (one.latest) result["latest"] = latest_json(*one.latest);
  if (one.baseline) result["baseline"] = baseline_json(*one.baseline);
  if (one.creep) result["creep"] = creep_json(*one.creep);
  return result;
}

json calibration_json(ReportCalibration const& calibration) {
  try {
    // Bounded nesting, as in attributes_json.
    return {{"recorded", calibration.recorded}, {"calibration", model::parse_strict(calibration.json, "calibration")}};
  } catch (model::FormatError const& error) {
    throw std::invalid_argument("a report cannot be written: " + model::one_line(calibration.recorded) + ": " +
                                error.what());
  }
}

json detail_session_json(DetailSession const& session) {
  return {{"run", session.run},
          {"id", session.session.id},
          {"purpose", model::to_text(session.session.purpose)},
          {"started", session.session.started},
          // As text: JavaScript's numbers hold 53 of its 64 bits.
          {"seed", std::to_string(session.session.seed)},
          {"result", model::to_json(session.result)}};
}

}  // namespace perfcheck::report
