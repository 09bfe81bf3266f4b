// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

#include "perfcheck/model/json.h"

#include <fmt/format.h>

#include <random>

namespace perfcheck::history::testing {
namespace {

model::CaseResult measured(std::string const& id, std::string const& reference, double level, int rounds,
                           std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.002);
  model::CaseResult result;
  result.id = id;
  result.reference = reference;
  result.status = model::CaseStatus::measured;
  result.verification = {.passed = true, .checks = {{.name = "exact", .passed = true}}};
  result.launches = {{.function = "kernel<" + id + ">",
                      .grid = {8, 8, 1},
                      .block = {128, 1, 1},
                      .registers = 128,
                      .shared_bytes = 4096,
                      .blocks_per_sm = 2,
                      .occupancy = 0.25,
                      .machine_code = "00ff00ff00ff00ff"}};
  result.work = {.flop = 2e9, .bytes = 1.2e7};
  result.arithmetic = "f32";
  model::Rounds columns{.launches = 4, .reference_launches = 5};
  for (int i = 0; i < rounds; ++i) {
    columns.time_ns.push_back(level * (1 + noise(random)));
    columns.reference_time_ns.push_back(0.9 * level * (1 + noise(random)));
    columns.clock_mhz.push_back(1755 * (1 + noise(random)));
    columns.reference_clock_mhz.push_back(1740 * (1 + noise(random)));
  }
  result.rounds = columns;
  result.state = model::DeviceState{.sm_clock_mhz = 1755, .power_w = 400.5, .temperature_c = 45};
  result.stop_reason = "precise";
  result.seconds = 0.25;
  return result;
}

model::Session session(int number, int index, int cases, int rounds) {
  std::mt19937_64 random(static_cast<uint64_t>(number * 100 + index));
  model::Session session;
  session.id = fmt::format("s{}", index + 1);
  session.started = "2026-11-22T08:00:00Z";
  session.device = {.backend = "cuda",
                    .name = "Test Device",
                    .slug = "test-device",
                    .uuid = "GPU-1",
                    .compute_capability = "9.0",
                    .multiprocessors = 132,
                    .memory_bytes = 1 << 30,
                    .cache_bytes = 1 << 20,
                    .max_clock_mhz = 1980,
                    .peak_tflops = {{"f32", 66.9}}};
  session.environment.driver = "580.1";
  session.seed = static_cast<uint64_t>(number);
  for (int i = 0; i < cases; ++i) {
    std::string const id = fmt::format("gemm/simt/k{}@f32,nn,m512n512k512", i);
    std::string const reference = i == 0 ? id : "gemm/library/blas@f32,nn,m512n512k512";
    session.cases.push_back(measured(id, reference, 1000.0 * (i + 1) * (1 + 0.01 * number), rounds, random));
  }
  model::CaseResult wrong;
  wrong.id = "gemm/simt/wrong@f32,nn,m512n512k512";
  wrong.status = model::CaseStatus::incorrect;
  wrong.message = "element (3, 5) is 1.5, expected 2";
  wrong.verification = {.passed = false, .checks = {{.name = "exact", .passed = false, .detail = wrong.message}}};
  session.cases.push_back(wrong);
  model::CaseResult skipped;
  skipped.id = "gemm/wgmma/later@f32,nn,m512n512k512";
  skipped.status = model::CaseStatus::skipped;
  skipped.skip_reason = model::SkipReason::not_built;
  skipped.message = "the build left out 90a";
  session.cases.push_back(skipped);
  return session;
}

}  // namespace

model::Run sample_run(int number, int cases, int rounds) {
  model::Run run;
  run.id = fmt::format("20261122T080000Z-{:06x}", number);
  run.started = fmt::format("2026-11-22T08:{:02}:00Z", number % 60);
  run.seconds = 12.5;
  run.tool_version = "0.1.0";
  run.source = {.commit = fmt::format("{:040x}", number),
                .branch = "main",
                .subject = "gemm: wider tiles",
                .author = "A. Developer",
                .committed = fmt::format("2026-11-{:02}T08:00:00Z", 1 + number % 28)};
  run.worker = {.name = "perfcheck-gemm",
                .backend = "cuda",
                .operation = "gemm",
                .build = {.version = "0.1.0", .compiler = "GNU 12.2.0", .build_type = "Release"}};
  run.suite = "default";
  run.kernels = {{.id = "gemm/simt/k0", .summary = "first", .file = "kernels/gemm/simt/k0.cu", .line = 3}};
  for (int i = 0; i < 2; ++i) {
    run.sessions.push_back(session(number, i, cases, rounds));
  }
  // As read from a file, so that a run that was stored compares equal.
  return model::run_from_text(model::run_to_text(run), "sample");
}

RunDecision sample_decision(model::Run const& run) {
  RunDecision decision{.exit_code = model::ExitCode::regressed, .notes = {"the clock was low"}, .cases = {}};
  decision.cases[run.sessions[0].cases[0].id] = {.verdict = model::Verdict::pass,
                                                 .decided_by = "cycles",
                                                 .change = 0.001,
                                                 .low = -0.001,
                                                 .high = 0.003,
                                                 .margin = 0.005,
                                                 .detectable = 0.008};
  decision.cases[run.sessions[0].cases[1].id] = {.verdict = model::Verdict::regressed,
                                                 .reason_code = "ratio_and_cycles_above_margin",
                                                 .reason = "cycles +3.2 %",
                                                 .also_changed = "registers 128 -> 168",
                                                 .decided_by = "cycles",
                                                 .change = 0.032,
                                                 .low = 0.03,
                                                 .high = 0.034,
                                                 .margin = 0.005,
                                                 .detectable = 0.008};
  decision.cases["gemm/simt/gone@f32,nn,m512n512k512"] = {
      .verdict = model::Verdict::missing, .reason_code = "not_measured", .reason = "it is in the baseline"};
  return decision;
}

}  // namespace perfcheck::history::testing
