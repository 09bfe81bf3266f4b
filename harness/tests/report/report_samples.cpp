// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "report_samples.h"

#include <cmath>
#include <limits>

namespace perfcheck::report::samples {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

double any_number(std::mt19937_64& random) {
  switch (random() % 10) {
    case 0: return kMissing;
    case 1: return 0;
    case 2: return -1.5;
    case 3: return std::numeric_limits<double>::infinity();
    case 4: return std::numeric_limits<double>::denorm_min();
    case 5: return std::numeric_limits<double>::max();
    default: return std::exp(std::uniform_real_distribution<double>(-20, 20)(random));
  }
}

ReportCase case_of(std::string const& kernel, int index, std::optional<double> tflops) {
  ReportCase result{.id = kernel + "@f16.f32,nn,m4096n4096k4096", .kernel = index};
  result.reference = "gemm/library/cublas@f16.f32,nn,m4096n4096k4096";
  result.arithmetic = "f16";
  result.latest = ReportLatest{};
  if (tflops) {
    result.latest->figures = {.time_ns = 137438.95 / *tflops * 1e3, .ratio = 700 / *tflops, .flop = 137438.95e6};
  } else {
    result.latest->status = model::CaseStatus::crashed;
  }
  return result;
}

}  // namespace

Series plain_series(int runs, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Series series;
  for (int run = 0; run < runs; ++run) {
    series.run.push_back(run);
    series.status.push_back(model::CaseStatus::measured);
    series.verdict.emplace_back(model::Verdict::pass);
    series.attributes.push_back(0);
    series.time_ns.push_back(1e6 * std::exp(0.002 * normal(random)));
    series.ratio.push_back(1.4 * std::exp(0.001 * normal(random)));
    series.cycles.push_back(1.7e6 * std::exp(0.001 * normal(random)));
    series.clock_mhz.push_back(1700 * std::exp(0.002 * normal(random)));
    series.power_w.push_back(400);
    series.temperature_c.push_back(61);
    series.time_hw.push_back(0.002);
    series.ratio_hw.push_back(0.001);
    series.cycles_hw.push_back(0.001);
    series.sessions.push_back(1);
  }
  series.attribute_table = {R"({"launches":[],"machine_code":"00ff"})"};
  return series;
}

void add_step(Series& series, int run, double factor) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series.run[i] < run) continue;
    for (std::vector<double>* column : {&series.time_ns, &series.ratio, &series.cycles}) (*column)[i] *= factor;
  }
}

Series arbitrary_series(std::mt19937_64& random, int runs) {
  Series series;
  series.attribute_table = {"{}", R"({"machine_code":"<&>"})"};
  auto const statuses = static_cast<int>(model::case_status_texts().size());
  auto const verdicts = static_cast<int>(model::verdict_texts().size());
  auto const below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  for (int run = 0; run < runs; ++run) {
    if (random() % 4 == 0) continue;
    series.run.push_back(run);
    series.status.push_back(static_cast<model::CaseStatus>(below(statuses)));
    series.verdict.push_back(random() % 2 == 0 ? std::nullopt
                                               : std::optional(static_cast<model::Verdict>(below(verdicts))));
    series.attributes.push_back(below(2));
    for (std::vector<double>* column :
         {&series.time_ns, &series.ratio, &series.cycles, &series.clock_mhz, &series.power_w, &series.temperature_c})
      column->push_back(any_number(random));
    for (std::vector<double>* column : {&series.time_hw, &series.ratio_hw, &series.cycles_hw})
      column->push_back(random() % 3 == 0 ? kMissing : std::uniform_real_distribution<double>(0, 0.1)(random));
    series.sessions.push_back(below(10));
  }
  return series;
}

ReportDevice small_device(int runs) {
  ReportDevice device{.key = "nvidia-h100-80gb-hbm3/gemm", .operation = "gemm"};
  device.card.backend = "cuda";
  device.card.name = "NVIDIA H100 80GB HBM3";
  device.card.slug = "nvidia-h100-80gb-hbm3";
  device.card.peak_tflops = {{"f16", 989.4}};
  device.card.peak_cache_gb_s = 5500;
  device.card.empty_launch_ns = 812.5;
  device.repository = "https://example.org/team/kernels";
  device.environments.resize(1);
  for (int run = 0; run < runs; ++run) {
    std::string const number = std::to_string(1000000 + run);
    device.commits.push_back({.id = number + "abcdef", .subject = "Change " + number, .author = "A. Person"});
    device.commits.back().committed =
        "2026-11-" + std::string(run % 28 < 9 ? "0" : "") + std::to_string(run % 28 + 1) + "T08:00:00Z";
    device.runs.push_back({.id = "r" + number, .started = "2026-11-21T08:15:02Z", .commit = run, .sessions = 1});
    device.runs.back().counts = {{"pass", 4}};
  }
  device.problems.push_back({.text = "f16.f32,nn,m4096n4096k4096",
                             .name = "square",
                             .flop = 137438953472.0,
                             .bytes = 100663296,
                             .axes = {{"types", "f16.f32"}, {"m", 4096}}});
  device.kernels = {
      {.id = "gemm/simt/naive", .summary = "One thread for each element", .file = "kernels/a.cu", .line = 3},
      {.id = "gemm/mma/f16_pipeline", .executes = "f16", .work_share = 0.875},
      {.id = "gemm/library/cublas", .library = "cublas"},
      {.id = "gemm/wgmma/f16_broken"}};
  device.cases = {case_of("gemm/simt/naive", 0, 6.25), case_of("gemm/mma/f16_pipeline", 1, 633.5),
                  case_of("gemm/library/cublas", 2, 700), case_of("gemm/wgmma/f16_broken", 3, std::nullopt)};
  for (ReportCase& one : device.cases) {
    if (one.latest) one.latest->run = runs - 1;
    one.baseline = ReportBaseline{.sessions = 5, .who = "A. Person", .ratio = ReportLevel{1.4, 1.397, 1.403}};
  }
  return device;
}

std::vector<std::string> hostile_texts() {
  return {"</script><img src=x onerror=alert(1)>",
          "<!--<script>",
          "\"'><b onload=\"x\">&amp;&lt;",
          "]]><svg/onload=alert(1)>",
          std::string("nul\0 bell\a escape\x1b[31m", 22),
          "broken \xff\xfe \xc3( \xe2\x80",
          "right to left \xe2\x80\xae override",
          std::string(5000, 'w')};
}

ReportDevice hostile_device(std::string const& text) {
  ReportDevice device = small_device(3);
  device.key = device.operation = device.repository = text;
  device.card.name = device.card.slug = device.card.backend = text;
  for (ReportCommit& commit : device.commits) commit = {text, text, text, text, text};
  for (ReportRun& run : device.runs) {
    run.id = run.started = run.card = run.suite = run.origin = text;
    run.filters = run.notes = {text};
    run.counts = {{text, 1}};
  }
  for (ReportProblem& problem : device.problems) {
    problem.text = problem.name = text;
    problem.axes = {{text, text}};
  }
  for (ReportKernel& kernel : device.kernels) {
    kernel.id = kernel.summary = kernel.file = kernel.library = kernel.executes = text;
  }
  for (ReportCase& one : device.cases) {
    one.id = one.reference = text;
    one.latest->message = one.latest->reason = one.latest->also_changed = text;
    one.baseline->why = text;
  }
  return device;
}

}  // namespace perfcheck::report::samples
