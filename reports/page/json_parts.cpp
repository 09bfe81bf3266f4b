// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "page/json_parts.h"

#include "model/json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace perfcheck::report {
namespace {

using nlohmann::json;

constexpr int kDigits = 7;       // ratios repeat to 2e-4, and their differences are looked at
constexpr int kSparkDigits = 5;  // a line of 40 pixels

double rounded(double value, int digits) {
  std::string const text = fmt::format("{:.{}e}", value, digits - 1);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

/// A whole number as such: 8589934592, not 8589934592.0.
json count(double value) {
  bool const whole = std::isfinite(value) && value == std::floor(value) && std::abs(value) < 9007199254740992.0;
  return whole ? json(static_cast<int64_t>(value)) : json(value);
}

json level_json(ReportLevel const& level) {
  json result = json::object();
  put_number(result, "median", level.median);
  put_number(result, "low", level.low);
  put_number(result, "high", level.high);
  return result;
}

json latest_json(ReportLatest const& latest) {
  json result{{"run", latest.run}, {"status", model::to_text(latest.status)}};
  put_text(result, "message", latest.message);
  if (latest.verdict) result["verdict"] = model::to_text(*latest.verdict);
  put_text(result, "reason_code", latest.reason_code);
  put_text(result, "reason", latest.reason);
  put_text(result, "also_changed", latest.also_changed);
  put_text(result, "decided_by", latest.decided_by);
  put_number(result, "change", latest.change);
  put_number(result, "low", latest.low);
  put_number(result, "high", latest.high);
  put_number(result, "margin", latest.margin);
  put_number(result, "detectable", latest.detectable);
  put_number(result, "time_ns", latest.time_ns);
  put_number(result, "ratio", latest.ratio);
  put_number(result, "cycles", latest.cycles);
  put_number(result, "clock_mhz", latest.clock_mhz);
  put_number(result, "noise", latest.noise);
  put_number(result, "tflops", latest.tflops);
  put_number(result, "gb_s", latest.gb_s);
  put_number(result, "reference_share", latest.reference_share);
  put_number(result, "peak_share", latest.peak_share);
  return result;
}

json baseline_json(ReportBaseline const& baseline) {
  json result{{"sessions", baseline.sessions}};
  put_text(result, "accepted", baseline.accepted);
  put_text(result, "who", baseline.who);
  put_text(result, "why", baseline.why);
  put_text(result, "commit", baseline.commit);
  if (baseline.time_ns) result["time_ns"] = level_json(*baseline.time_ns);
  if (baseline.ratio) result["ratio"] = level_json(*baseline.ratio);
  if (baseline.cycles) result["cycles"] = level_json(*baseline.cycles);
  put_number(result, "margin", baseline.margin);
  return result;
}

json change_json(ReportChange const& change) {
  json result{{"metric", to_text(change.metric)},
              {"run", change.run},
              {"from", change.from},
              {"to", change.to},
              {"went_away", change.went_away}};
  put_number(result, "size", change.size);
  put_number(result, "low", change.low);
  put_number(result, "high", change.high);
  put_number(result, "before", change.before);
  put_number(result, "after", change.after);
  put_number(result, "p", change.p);
  return result;
}

}  // namespace

std::string json_text(json const& value) {
  std::string const text = value.dump(-1, ' ', false, json::error_handler_t::replace);
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

void put_text(json& object, char const* key, std::string const& value) {
  if (!value.empty()) object[key] = value;
}

void put_number(json& object, char const* key, std::optional<double> value) {
  if (value && std::isfinite(*value)) object[key] = rounded(*value, kDigits);
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
  put_text(result, "tool_version", environment.tool_version);
  put_text(result, "compiler", environment.compiler);
  put_text(result, "cuda_toolkit", environment.cuda_toolkit);
  return result;
}

json run_json(ReportRun const& run) {
  json result{{"id", run.id},        {"started", run.started},         {"commit", run.commit},
              {"dirty", run.dirty},  {"environment", run.environment}, {"sessions", run.sessions},
              {"counts", run.counts}};
  put_text(result, "card", run.card);
  put_text(result, "suite", run.suite);
  if (!run.filters.empty()) result["filters"] = run.filters;
  put_number(result, "seconds", run.seconds);
  if (run.exit_code) result["exit_code"] = *run.exit_code;
  put_text(result, "origin", run.origin);
  if (!run.notes.empty()) result["notes"] = run.notes;
  return result;
}

json problem_json(ReportProblem const& problem) {
  json result{{"text", problem.text}, {"sizes", problem.sizes}};
  put_text(result, "name", problem.name);
  if (problem.flop > 0) result["flop"] = count(problem.flop);
  if (problem.bytes > 0) result["bytes"] = count(problem.bytes);
  put_text(result, "types", problem.types);
  return result;
}

json kernel_json(ReportKernel const& kernel) {
  json result{{"id", kernel.id}};
  put_text(result, "summary", kernel.summary);
  put_text(result, "file", kernel.file);
  if (kernel.line > 0) result["line"] = kernel.line;
  put_text(result, "library", kernel.library);
  return result;
}

json case_json(ReportCase const& one, SeriesFacts const& facts) {
  json spark = json::array(), changes = json::array();
  for (double const value : facts.spark)
    spark.push_back(std::isfinite(value) ? json(rounded(value, kSparkDigits)) : json(nullptr));
  for (ReportChange const& change : facts.changes) changes.push_back(change_json(change));
  json scatter = json::object();
  for (RunScatter const& of : facts.scatter) {
    scatter[to_text(of.metric)] = {{"sd", rounded(of.sd, kSparkDigits)}, {"df", rounded(of.df, kSparkDigits)}};
  }
  json result{{"id", one.id},
              {"kernel", one.kernel},
              {"problem", one.problem},
              {"metric", to_text(one.metric)},
              {"runs", facts.runs},
              {"spark", std::move(spark)},
              {"scatter", std::move(scatter)},
              {"changes", std::move(changes)}};
  put_text(result, "reference", one.reference);
  put_text(result, "arithmetic", one.arithmetic);
  if (one.latest) result["latest"] = latest_json(*one.latest);
  if (one.baseline) result["baseline"] = baseline_json(*one.baseline);
  return result;
}

json calibration_json(ReportCalibration const& calibration) {
  json document = json::parse(calibration.json, nullptr, false);
  if (document.is_discarded()) {
    throw std::invalid_argument("a report cannot be written: the calibration of " + calibration.recorded +
                                " is not JSON");
  }
  return {{"recorded", calibration.recorded}, {"calibration", std::move(document)}};
}

json detail_session_json(DetailSession const& session) {
  return {{"run", session.run},
          {"id", session.session.id},
          {"purpose", model::to_text(session.session.purpose)},
          {"started", session.session.started},
          // As text: a browser's numbers hold 53 bits of its 64.
          {"seed", std::to_string(session.session.seed)},
          {"result", model::to_json(session.result)}};
}

}  // namespace perfcheck::report
