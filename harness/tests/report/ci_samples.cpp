// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci_samples.h"

#include "report_samples.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::report::samples {
namespace {

using model::CaseStatus;
using model::Verdict;

constexpr char const* kSquare = "f16.f32,nn,m4096n4096k4096";
constexpr char const* kSmall = "f16.f32,nn,m1024n1024k1024";
constexpr char const* kWide = "f16.f32,nt,m2048n8192k2048";
constexpr double kMargin = 0.01;

CaseStatus status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::incorrect: return CaseStatus::incorrect;
    case Verdict::implausible: return CaseStatus::implausible;
    case Verdict::crashed: return CaseStatus::crashed;
    case Verdict::timed_out: return CaseStatus::timed_out;
    case Verdict::failed: return CaseStatus::failed;
    case Verdict::skipped: return CaseStatus::skipped;
    default: return CaseStatus::measured;
  }
}

model::CaseResult case_result(Outcome const& outcome, double before_ns) {
  model::CaseResult result;
  result.id = model::case_id(outcome.kernel, outcome.problem);
  result.reference = model::case_id("gemm/library/cublas", outcome.problem);
  result.status = status_of(outcome.verdict);
  result.work = {.flop = 137438953472.0, .bytes = 100663296};
  result.arithmetic = "f16";
  result.seconds = 0.41;
  if (result.status == CaseStatus::skipped) result.skip_reason = model::SkipReason::architecture;
  if (result.status != CaseStatus::measured) {
    result.message = "what happened";
    return result;
  }
  result.rounds.emplace();
  for (double const wobble : {0.999, 1.0, 1.001, 1.0, 1.002}) {
    result.rounds->time_ns.push_back(before_ns * (1 + outcome.change) * wobble);
    result.rounds->reference_time_ns.push_back(before_ns * 0.8);
    result.rounds->clock_mhz.push_back(1755);
    result.rounds->reference_clock_mhz.push_back(1755);
  }
  return result;
}

gate::Witness witness(double change) {
  return {.change = change,
          .low = change - 0.003,
          .high = change + 0.0035,
          .sd = 0.001,
          .baseline_sessions = 8,
          .new_sessions = 4};
}

bool has_numbers(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::improved || verdict == Verdict::regressed ||
         verdict == Verdict::inconclusive;
}

gate::CaseDecision decision_of(std::string const& id, Verdict verdict, double change) {
  gate::CaseDecision decision;
  decision.id = id;
  decision.verdict = verdict;
  decision.reason_code = "because";
  decision.margin = kMargin;
  if (!has_numbers(verdict)) {
    decision.reason = verdict == Verdict::missing ? "it is in the baseline and did not run" : "what happened";
    return decision;
  }
  decision.ratio = decision.cycles = decision.time = witness(change);
  decision.decided_by = "ratio";
  decision.detectable = 0.0142;
  if (decision.verdict == model::Verdict::pass) {
    decision.at_most = decision.ratio->high;
  }
  if (verdict == Verdict::regressed) {
    decision.reason =
        fmt::format("ratio {:+.2f} % and cycles {:+.2f} % lie above the margin of 1.00 % in 4 fresh sessions",
                    100 * change, 100 * change);
  }
  if (verdict == Verdict::inconclusive) decision.reason = "the limits of the ratio hold the margin of 1.00 %";
  return decision;
}

model::Session session_of(char const* id) {
  model::Session session;
  session.id = id;
  session.device = {
      .backend = "cuda", .name = "NVIDIA H100 80GB HBM3", .slug = "nvidia-h100-80gb-hbm3", .uuid = "GPU-00112233"};
  session.device.peak_tflops = {{"f16", 989.4}};
  session.environment.driver = "580.65.06";
  session.environment.cuda_runtime = "13.0";
  session.environment.libraries = {{"cublas", "13.1.0"}};
  session.environment.host = "runner-7";
  return session;
}

model::Run run_around() {
  model::Run run;
  run.id = "20261121T081502Z-3f2a";
  run.started = "2026-11-21T08:15:02Z";
  run.seconds = 125;
  run.tool_version = "0.1.0";
  run.suite = "default";
  run.source = {.commit = "0123456789abcdef0123456789abcdef01234567",
                .branch = "wider-tiles",
                .subject = "gemm: wider tiles in f16_pipeline",
                .author = "A. Developer",
                .repository = "https://example.org/team/kernels"};
  int line = 40;
  for (char const* kernel :
       {"gemm/library/cublas", "gemm/mma/f16_pipeline", "gemm/simt/naive", "gemm/wgmma/f16_cluster"}) {
    run.kernels.push_back({.id = kernel, .file = fmt::format("kernels/{}.cu", kernel), .line = line++});
  }
  return run;
}

std::vector<Outcome> quiet_outcomes() {
  return {{"gemm/library/cublas", kSquare, Verdict::pass, 0.0004},
          {"gemm/library/cublas", kSmall, Verdict::pass, -0.0011},
          {"gemm/library/cublas", kWide, Verdict::pass, 0.0007},
          {"gemm/simt/naive", kSquare, Verdict::pass, 0.0001},
          {"gemm/simt/naive", kSmall, Verdict::pass, -0.0003},
          {"gemm/mma/f16_pipeline", kSquare, Verdict::pass, 0.0012},
          {"gemm/mma/f16_pipeline", kSmall, Verdict::pass, -0.0021},
          {"gemm/wgmma/f16_cluster", kSquare, Verdict::skipped, 0},
          {"gemm/wgmma/f16_cluster", kSmall, Verdict::skipped, 0}};
}

void set(std::vector<Outcome>& outcomes, std::string const& kernel, std::string const& problem, Verdict verdict,
         double change) {
  for (Outcome& one : outcomes) {
    if (one.kernel == kernel && one.problem == problem) one = {kernel, problem, verdict, change};
  }
}

void add_commands(CheckResult& result) {
  std::map<std::string, std::vector<std::string>> by_kernel;
  for (CaseRow const& row : result.rows) {
    if (row.failed) by_kernel[model::split_case_id(row.id).kernel].push_back(row.id);
  }
  for (auto const& [kernel, ids] : by_kernel) {
    result.repro.push_back({ids, "perfcheck check --filter " + (ids.size() == 1 ? ids.front() : kernel)});
  }
}

}  // namespace

CheckResult check_result(std::vector<Outcome> const& outcomes, std::vector<Verdict> const& demoted) {
  CheckResult result;
  result.name = "nvidia-h100-80gb-hbm3";
  result.command = "check";
  result.run = run_around();
  model::Session session = session_of("s1");
  double before_ns = 200e3;
  bool any_done = false;
  result.exit_code = model::ExitCode::ok;
  for (Outcome const& outcome : outcomes) {
    before_ns *= 1.07;
    if (outcome.verdict != Verdict::missing) session.cases.push_back(case_result(outcome, before_ns));
    result.decisions.cases.push_back(
        decision_of(model::case_id(outcome.kernel, outcome.problem), outcome.verdict, outcome.change));
    any_done = any_done || (outcome.verdict != Verdict::missing && outcome.verdict != Verdict::skipped);
    if (std::find(demoted.begin(), demoted.end(), outcome.verdict) == demoted.end()) {
      result.exit_code = model::worse(result.exit_code, model::exit_code_of(outcome.verdict));
    }
  }
  if (!any_done) result.exit_code = model::ExitCode::broken;
  std::sort(result.decisions.cases.begin(), result.decisions.cases.end(),
            [](auto const& a, auto const& b) { return a.id < b.id; });
  result.decisions.exit_code = result.exit_code;
  result.run.sessions = {session};
  result.rows = rows_of(result.run, result.decisions, demoted);
  return result;
}

CheckResult regressed_result() {
  std::vector<Outcome> outcomes = quiet_outcomes();
  set(outcomes, "gemm/mma/f16_pipeline", kSquare, Verdict::regressed, 0.0482);
  set(outcomes, "gemm/mma/f16_pipeline", kSmall, Verdict::regressed, 0.0213);
  set(outcomes, "gemm/simt/naive", kSmall, Verdict::improved, -0.0312);
  outcomes.push_back({"gemm/mma/f16_pipeline", kWide, Verdict::inconclusive, 0.0121});
  CheckResult result = check_result(outcomes);
  result.decisions.kernels = {decision_of("gemm/mma/f16_pipeline", Verdict::regressed, 0.0272),
                              decision_of("gemm/simt/naive", Verdict::pass, 0.0001)};
  result.decisions.notes = {"driver 580.65.06, in the baseline 575.57.08"};
  for (CaseRow& row : result.rows) {
    if (row.outcome == "regressed") row.also_changed = "also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %";
    if (row.time_ns && row.change) result.trends[row.id] = {1, 1.001, 0.999, 1.0, 1.002, 1 + row.change->change};
  }
  add_commands(result);
  result.report_url = "https://example.org/perf/index.html#trend";
  result.accept_hint = "perfcheck baseline accept out/run.json --why 'wider tiles pay off elsewhere'";
  return result;
}

CheckResult passed_result() {
  CheckResult result = check_result(quiet_outcomes());
  result.report_url = "https://example.org/perf/index.html#trend";
  result.decisions.notes = {"driver 580.65.06, in the baseline 575.57.08"};
  return result;
}

CheckResult broken_result() {
  std::vector<Outcome> outcomes = quiet_outcomes();
  set(outcomes, "gemm/mma/f16_pipeline", kSquare, Verdict::incorrect, 0);
  set(outcomes, "gemm/mma/f16_pipeline", kSmall, Verdict::crashed, 0);
  set(outcomes, "gemm/library/cublas", kWide, Verdict::missing, 0);
  set(outcomes, "gemm/simt/naive", kSquare, Verdict::regressed, 0.0331);
  set(outcomes, "gemm/simt/naive", kSmall, Verdict::implausible, 0);
  CheckResult result = check_result(outcomes);
  add_commands(result);
  return result;
}

CheckResult empty_result() {
  CheckResult result = check_result({{"gemm/wgmma/f16_cluster", kSquare, Verdict::skipped, 0}});
  result.decisions.notes = {"no case was measured; `perfcheck list` shows why"};
  return result;
}

CheckResult measured_result() {
  CheckResult result = passed_result();
  result.command = "run";
  result.decisions = {};
  result.rows = rows_of(result.run);
  return result;
}

CheckResult hostile_result(std::string const& text) {
  CheckResult result = regressed_result();
  // Ids are keys, so they stay distinct and keep a kernel before their '@'.
  auto const hostile_id = [&](std::string const& id) { return (text.starts_with('@') ? "k" : "") + text + id + text; };
  result.name = result.report_url = result.accept_hint = result.command = text;
  result.run.id = result.run.started = result.run.tool_version = result.run.suite = text;
  result.run.source = {text, text, text, text, text, text, true};
  for (model::KernelEntry& kernel : result.run.kernels) {
    kernel.id = hostile_id(kernel.id);
    kernel.file = text;
  }
  for (model::Session& session : result.run.sessions) {
    session.device.name = session.device.slug = session.device.uuid = text;
    session.environment.driver = session.environment.cuda_runtime = session.environment.host = text;
    session.environment.libraries = {{text, text}};
    for (model::CaseResult& one : session.cases) one.id = hostile_id(one.id);
  }
  for (auto* list : {&result.decisions.cases, &result.decisions.kernels}) {
    for (gate::CaseDecision& decision : *list) {
      decision.id = hostile_id(decision.id);
      decision.reason = decision.reason_code = text;
    }
  }
  result.decisions.notes = {text, text};
  std::map<std::string, std::vector<double>> trends;
  for (CaseRow& row : result.rows) {
    if (result.trends.contains(row.id)) trends[hostile_id(row.id)] = result.trends[row.id];
    row.id = hostile_id(row.id);
    row.reason = row.also_changed = text;
  }
  result.trends = trends;
  result.repro = {{{result.rows.front().id, result.rows.back().id}, text}, {{}, text}};
  return result;
}

std::vector<std::string> hostile_ci_texts() {
  std::vector<std::string> texts = hostile_texts();
  for (char const* text : {"a | b | c",
                           "\\| x \\\\| y \\",
                           "`",
                           "```",
                           "`` ` ```sh\nrm",
                           "a\n\n# heading\n",
                           "- [x] done",
                           "1. list",
                           "+ list",
                           "=====",
                           "-----",
                           "    code",
                           "> quote",
                           "\t# tab",
                           "@user, @org/team",
                           "x @user",
                           "#1 and team/repo#12",
                           "GH-12 gh-3",
                           "https://evil.example/x",
                           "x www.evil.example y",
                           "WWW.evil.example",
                           "someone@evil.example",
                           "xmpp:a@evil.example/x",
                           "mailto:a@evil.example",
                           "ftp://evil.example",
                           "![picture](https://evil.example/p.png)",
                           "[link](javascript:alert(1))",
                           "[link]: https://evil.example",
                           "[^1]: note",
                           "[^1]",
                           "<https://evil.example>",
                           "<a@evil.example>",
                           "</details></table>",
                           "<!-- perfcheck:other -->",
                           "-->",
                           "*bold* _it_ **b** __b__ ~~gone~~ ~x~",
                           ":tada: a:tada:",
                           "$x$ $$y$$ $`z`$",
                           "&lt;b&gt; &#60;i&#62;",
                           "&amp",
                           "\\<b\\>",
                           "::error::x",
                           "a\n::stop-commands::x",
                           "##[error]x",
                           "%0A::error::x%0D",
                           "file=x,line=1::y",
                           "=cmd|'/c calc'!A1",
                           "+1",
                           "-1+2",
                           "@SUM(1)",
                           "\t=1",
                           " =1",
                           "a\"b\"\"c",
                           "a,b\r\nc",
                           "x\"} 1\n# EOF\n",
                           "\\",
                           "\\\"",
                           "\\n",
                           "]]>",
                           "<![CDATA[x]]>",
                           "&xxe;",
                           "<?xml?>",
                           "javascript:alert(1)",
                           "https://example.org/)[x](https://evil.example",
                           "https://example.org/\" onload=\"x",
                           "https://example.org/<b>|`"}) {
    texts.emplace_back(text);
  }
  return texts;
}

}  // namespace perfcheck::report::samples
